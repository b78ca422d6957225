// The real binary on a database of its own.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? resolve(HERE, "../../target");
const BINARY = process.env.GAUNTLET_BIN ?? join(TARGET, "debug/gauntlet");
const START_MS = 60_000;

export const TINY = join(HERE, "tiny.toml");

/** A folder that goes away with its scenario. */
export async function temporaryFolder(clean) {
  const folder = await mkdtemp(join(tmpdir(), "gauntlet-e2e-"));
  clean.up(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts `gauntlet serve`, or with a file `gauntlet run`, and waits until it says where it listens. */
export async function startGauntlet(clean, { folder, file, port = 0 }) {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} does not exist: run \`cargo build\` first, or set GAUNTLET_BIN`);
  // Budgets here are in simulations: the machine's speed only has to be there, not to be right.
  const command =
    file === undefined
      ? ["serve", "--listen", `127.0.0.1:${port}`]
      : ["run", file, "--port", String(port), "--calibration-runs", "1", "--calibration-sims", "2000"];
  const child = spawn(BINARY, [...command, "--database", join(folder, "gauntlet.db")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const gone = new Promise((end) => child.once("exit", (code, signal) => end(signal ?? code)));
  const kill = async (signal = "SIGKILL") => {
    child.kill(signal);
    return gone;
  };
  clean.up(() => kill());
  const url = await new Promise((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`no address after ${START_MS} ms:\n${output}`)), START_MS);
    const read = (chunk) => {
      output += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (address === null) return;
      clearTimeout(timer);
      found(address[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    gone.then((how) => {
      clearTimeout(timer);
      failed(new Error(`ended with ${how} before it listened:\n${output}`));
    });
  });
  return {
    url,
    port: Number(new URL(url).port),
    kill,
    get: async (path) => {
      const response = await fetch(url + path);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.headers.get("content-type").startsWith("application/json") ? response.json() : response.text();
    },
  };
}
