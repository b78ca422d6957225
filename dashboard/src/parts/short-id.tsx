/** The first digits of an id, which commands take for the whole; the whole is in the tooltip. */

export function ShortId({ id }: { id: string }) {
  return (
    <code class="id" title={id}>
      {id.replaceAll("-", "").slice(0, 8)}
    </code>
  );
}
