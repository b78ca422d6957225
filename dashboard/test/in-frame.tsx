import type { ComponentChildren } from "preact";
import { FrameContext } from "../src/frame";

/** A page at an address, around the part of it that a test draws. */
export function InFrame({ children, address = "http://localhost/" }: { children: ComponentChildren; address?: string }) {
  const frame = { overview: undefined, at: 0, trouble: undefined, now: 0, session: undefined, address: new URL(address) };
  return <FrameContext.Provider value={frame}>{children}</FrameContext.Provider>;
}
