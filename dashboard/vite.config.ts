import { defineConfig } from "vitest/config";

export default defineConfig({
  // The coordinator writes the way to the root of its pages in place of the dot: the prefix of a proxy is the browser's to know.
  base: "./",
  // `coordinator/build.rs` builds this into its own output directory; `npm run dev` proxies a coordinator on
  // `gauntlet serve`'s default port.
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/api": "http://127.0.0.1:8437" } },
  test: { include: ["test/**/*.test.{ts,tsx}"] },
});
