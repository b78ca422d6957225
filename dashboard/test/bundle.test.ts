import { build } from "vite";
import { expect, test, vi } from "vitest";
import architecture from "../../docs/explanation/architecture.md?raw";

/** A stated size that is so much too large says nothing. */
const SLACK = 1.25;

async function compressed(content: string | Uint8Array): Promise<number> {
  const stream = new Blob([content as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

test("the bundle is as small as the documents say", { timeout: 120_000 }, async () => {
  // As `coordinator/build.rs` builds it, not as a test.
  vi.stubEnv("NODE_ENV", "production");
  const built = await build({ mode: "production", logLevel: "silent", build: { write: false } });
  vi.unstubAllEnvs();
  if (!("output" in built)) throw new Error("one build has one output");
  const size = async (ending: string) => {
    const files = built.output.filter(({ fileName }) => fileName.endsWith(ending));
    const sizes = await Promise.all(files.map((file) => compressed(file.type === "chunk" ? file.code : file.source)));
    return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
  };
  const stated = /at most (\d+) kB of compressed JavaScript and (\d+) kB of compressed CSS/.exec(architecture.replaceAll("\n", " "))!;
  for (const [ending, kilobytes] of [[".js", Number(stated[1])], [".css", Number(stated[2])]] as const) {
    const actual = await size(ending);
    expect(actual, `${ending} is larger than docs/explanation/architecture.md says`).toBeLessThanOrEqual(kilobytes);
    expect(actual * SLACK, `${ending} is much smaller than docs/explanation/architecture.md says`).toBeGreaterThan(kilobytes);
  }
});
