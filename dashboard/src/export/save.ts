/** Gives the reader a file. */

/** A file name out of names that people gave. */
export function fileName(words: string, ending: string): string {
  const name = words.replace(/[^\p{L}\p{N}._=-]+/gu, "-").replace(/^[-.]+|-+$/g, "").slice(0, 80);
  return `${name || "gauntlet"}.${ending}`;
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the blob after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function saveText(text: string, kind: string, name: string): void {
  saveBlob(new Blob([text], { type: kind }), name);
}

/** Pixels of a bitmap for one of the drawing. */
const SCALE = 2;

/** A drawing as a bitmap. */
export async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * image.naturalWidth;
    canvas.height = SCALE * image.naturalHeight;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((found, failed) =>
      canvas.toBlob((blob) => (blob === null ? failed(new Error("the picture is too large for a bitmap")) : found(blob)), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
