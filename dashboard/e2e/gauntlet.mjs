// The real binary on a database of its own.

import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? resolve(HERE, "../../target");
const BINARY = process.env.GAUNTLET_BIN ?? join(TARGET, "debug/gauntlet");
const START_MS = 600_000;

export const TINY = join(HERE, "tiny.toml");
export const MANY = join(HERE, "many.toml");
export const TOURNAMENT = join(HERE, "tournament.toml");

/** A folder that goes away with its scenario. */
export async function temporaryFolder(clean) {
  const folder = await mkdtemp(join(tmpdir(), "gauntlet-e2e-"));
  clean.up(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Budgets here are in simulations: the machine's speed only has to be there, not to be right. */
const QUICK_CALIBRATION = ["--calibration-runs", "1", "--calibration-sims", "2000"];

/**
 * Plays files to their end, one after another, then serves the database: pages of finished experiments are tested on games that no
 * longer arrive, whatever the speed of the machine.
 */
export async function servePlayed(clean, { folder, files }) {
  for (const file of files) await play(folder, file);
  return startGauntlet(clean, { folder });
}

/** Plays a file to its end: `gauntlet run --exit-when-done`. */
export async function play(folder, file) {
  const words = ["run", file, "--port", "0", "--exit-when-done", ...QUICK_CALIBRATION, "--database", join(folder, "gauntlet.db")];
  await promisify(execFile)(BINARY, words, { cwd: folder });
}

/** Starts `gauntlet serve`, or with a file `gauntlet run`, and waits until it says where it listens. */
export async function startGauntlet(clean, { folder, file, port = 0, listen = "127.0.0.1" }) {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} does not exist: run \`cargo build\` first, or set GAUNTLET_BIN`);
  const command =
    file === undefined
      ? // Everybody may look where only this machine can.
        ["serve", "--listen", `${listen}:${port}`, ...(listen === "127.0.0.1" ? ["--open-results"] : [])]
      : ["run", file, "--port", String(port), ...QUICK_CALIBRATION];
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
      const address = /dashboard: http:\/\/\S+:(\d+)\//.exec(output);
      if (address === null) return;
      clearTimeout(timer);
      found(`http://127.0.0.1:${address[1]}`);
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
    /** What it has printed so far. */
    printed: () => output,
    /** Runs a command on the same database; gives what it prints. */
    command: async (words) => {
      const { stdout } = await promisify(execFile)(BINARY, [...words, "--database", join(folder, "gauntlet.db")]);
      return stdout;
    },
    /** The address of the page of the only experiment beside the coordinator's control. */
    experiment: async () => {
      const overview = await (await fetch(`${url}/api/v1/overview`)).json();
      const experiments = overview.experiments.filter(({ is_control }) => !is_control);
      if (experiments.length !== 1) throw new Error(`${experiments.length} experiments`);
      return `${url}/experiments/${experiments[0].id}`;
    },
    /** Types lines into a shell in the folder of the database; gives what they print. */
    shell: async (lines) => {
      const PATH = `${dirname(BINARY)}:${process.env.PATH}`;
      const { stdout } = await promisify(execFile)("sh", ["-ec", lines], { cwd: folder, env: { ...process.env, PATH } });
      return stdout;
    },
    /** Starts a worker in a directory of its own; gives what ends it. */
    work: async (clean, options) => {
      const worker = spawn(BINARY, ["work", "--dir", join(folder, "worker"), ...options], { cwd: folder, stdio: "ignore" });
      const ended = new Promise((end) => worker.once("exit", end));
      const kill = () => (worker.kill("SIGKILL"), ended);
      clean.up(kill);
      return kill;
    },
    get: async (path) => {
      const response = await fetch(url + path);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.headers.get("content-type").startsWith("application/json") ? response.json() : response.text();
    },
  };
}
