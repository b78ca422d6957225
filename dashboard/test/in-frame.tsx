import type { ComponentChildren } from "preact";
import { FrameContext, Here } from "../src/frame";

/** A page at an address, around the part of it that a test draws. */
export function InFrame({ children, address = "http://localhost/" }: { children: ComponentChildren; address?: string }) {
  return (
    <FrameContext.Provider value={{ overview: undefined, at: 0, trouble: undefined, session: undefined }}>
      <Here.Provider value={new URL(address)}>{children}</Here.Provider>
    </FrameContext.Provider>
  );
}
