// Games: searched, stepped through, downloaded and summed up.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { servePlayed, startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, PLAYED_MS, saved, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const HOSTILE = join(dirname(fileURLToPath(import.meta.url)), "hostile.toml");
const SLOW = join(dirname(fileURLToPath(import.meta.url)), "slow.toml");

const rows = (page) => page.locator(".games tbody tr[data-game]");

/** Waits until the list has these games, in their order. */
async function untilGames(page, ids) {
  const shown = () => rows(page).evaluateAll((all) => all.map((row) => row.dataset.game));
  await until(async () => (await shown()).join() === ids.join(), async () => `${ids} instead of ${await shown()}`);
}

scenario("games", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TINY] });
  const browser = await openBrowser(clean);
  const [experiment] = (await gauntlet.get("/api/v1/overview")).experiments;
  const page = await browser.open(`${gauntlet.url}/games`);
  const lost = await gauntlet.get(`/api/v1/games?result=loss&size=5&sort=longest&limit=1000`);
  assert.ok(lost.games.length > 0, "a game lost on size 5");

  await t.test("a search by the keyboard alone finds a lost game, and its address keeps the search", async () => {
    await rows(page).first().waitFor();
    await untilCount(rows(page), 100);
    await page.getByLabel("Board size").focus();
    await page.keyboard.press("5");
    await page.keyboard.type("size 5");
    await page.getByLabel("Board size").selectOption("5");
    await page.getByLabel("Result").selectOption("loss");
    await page.getByLabel("Order").selectOption("longest");
    await page.waitForURL(/size=5.*result=loss.*sort=longest/);
    const shown = lost.games.slice(0, 100).map(({ id }) => id);
    await untilGames(page, shown);
    const again = await browser.open(page.url());
    await again.waitForFunction((id) => document.querySelector("tr[data-game]")?.dataset.game === id, shown[0]);
    assert.equal(await again.getByLabel("Result").inputValue(), "loss");
    await again.close();
    await page.goBack();
    await page.waitForURL(/size=5(?!.*sort)/);
    await page.goForward();
    await untilGames(page, shown);
  });

  await t.test("pages follow one another without losing or repeating a game", async () => {
    const all = new Set();
    await page.goto(`${gauntlet.url}/games?experiment=${experiment.id}`);
    for (let number = 0; ; number++) {
      await page.locator("tr[data-game]").first().waitFor();
      const ids = await rows(page).evaluateAll((found) => found.map((row) => row.dataset.game));
      ids.forEach((id) => assert.ok(!all.has(id) && all.add(id), id));
      const next = page.getByRole("link", { name: "Next page" });
      if ((await next.count()) === 0) break;
      const [first] = ids;
      await next.click();
      await page.waitForFunction((id) => ![undefined, id].includes(document.querySelector("tr[data-game]")?.dataset.game), first);
      assert.ok(number < 10);
    }
    assert.equal(all.size, experiment.games_done);
  });

  await t.test("a search and its plots are saved as files", async () => {
    const save = async (name) => (await saved(page, page.locator(".exports").first(), name)).toString();
    await page.goto(`${gauntlet.url}/games?size=5&result=loss&sort=longest`);
    await rows(page).first().waitFor();
    assert.equal(await save("CSV"), await gauntlet.command(["game", "list", "--size", "5", "--result", "loss", "--sort", "longest", "--all", "--format", "csv"]));
    assert.deepEqual(JSON.parse(await save("JSON")).map(({ game }) => game), lost.games.map(({ id }) => id));
    assert.equal((await save("SGF")).match(/\(;FF\[4\]/g).length, Math.min(100, lost.games.length));
    await page.goto(`${gauntlet.url}/games?size=5&show=moves`);
    await page.locator(".by-move .chart > svg").first().waitFor();
    assert.match(await save("SVG"), /^<svg .*Simulations of a move/s);
    assert.match(await save("CSV"), /^line,move,value,low,high\n"?case, White/);
  });

  await t.test("typed words search when their writer pauses, and a search that cannot be done says why", async () => {
    await page.goto(`${gauntlet.url}/games`);
    await page.getByLabel("Case", { exact: true }).fill("rave_k=1000");
    await page.waitForURL(/case=rave_k/);
    await page.waitForFunction(() => [...document.querySelectorAll("tr[data-game] td:nth-child(3)")].every((cell) => cell.textContent === "rave rave_k=1000"));
    await page.getByLabel("Case", { exact: true }).fill("nothing like it");
    await page.getByTestId("no-games").getByText("No game fits this search").waitFor();
    await page.getByRole("button", { name: "Clear all" }).click();
    await rows(page).first().waitFor();
    await page.getByText("More", { exact: true }).click();
    await page.getByLabel("Opening").fill("a1 b2");
    await page.waitForURL(/opening=/);
    await page.getByLabel("Opening").fill("");
    await page.waitForURL((url) => !url.search.includes("opening="));
    await rows(page).first().waitFor();
    assert.ok(await page.getByLabel("Opening").evaluate((field) => field === document.activeElement && field.checkVisibility()), "the field went away");
    const bad = await browser.open(`${gauntlet.url}/games?budget=soon`, { expected: /400/ });
    await bad.getByTestId("trouble").getByText("write it as 1000 sims", { exact: false }).waitFor();
    assert.deepEqual(await accessibilityFaults(bad), []);
    await bad.close();
  });

  await t.test("a game that was lost against expectation is found at once, and its moves are steps of the reader's own", async () => {
    const { games } = await gauntlet.get("/api/v1/games?sort=surprising&min_expected=80&limit=100");
    assert.ok(games.length > 0, "no loser was sure");
    await page.goto(`${gauntlet.url}/games`);
    await page.getByLabel("Order").selectOption("surprising");
    await page.getByText("More", { exact: true }).click();
    await page.locator("label", { hasText: /^Loser expected/ }).locator("select").selectOption("80");
    await page.waitForURL(/min_expected=80/);
    await untilGames(page, games.map(({ id }) => id));
    const expected = games.map(({ loser_expected }) => loser_expected);
    assert.deepEqual(expected, expected.toSorted((a, b) => b - a));
    // What the list says is in the game itself.
    const { moves, game } = await gauntlet.get(`/api/v1/games/${games[0].id}/view`);
    const loses = game.result === "loss";
    const opening = game.plies - moves.length;
    const isCase = (i) => ((opening + i) % 2 === 0) === (game.case_side === "white");
    const most = Math.max(...moves.filter((_, i) => isCase(i) === loses).map(({ value }) => value));
    assert.ok(Math.abs(most - expected[0]) < 0.001, `${most} and ${expected[0]}`);
    await page.getByRole("link", { name: games[0].id.slice(0, 8) }).click();
    await page.locator("svg.board").waitFor();
    await page.waitForURL("**/games/*");
    const plain = page.url();
    await page.getByRole("button", { name: "Numbered by column" }).click();
    await page.waitForURL(/numbering=/);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.locator('svg.board[data-move="1"]').waitFor();
    await page.goBack();
    // One step back undoes the numbering, with the moves stepped through since.
    await page.waitForURL(plain);
  });

  const [{ id }] = lost.games;
  const view = await gauntlet.get(`/api/v1/games/${id}/view`);
  const all = [...view.opening, ...view.moves.map(({ cell }) => cell)];

  await t.test("a game is stepped through by keys, buttons and the slider", async () => {
    await page.goto(`${gauntlet.url}/games/${id}`);
    const board = page.locator("svg.board");
    await board.waitFor();
    const stones = () => page.locator("[data-stone]").evaluateAll((found) => found.map((cell) => cell.dataset.cell).sort());
    const at = async (move) => {
      await page.locator(`svg.board[data-move="${move}"]`).waitFor();
      assert.deepEqual(await stones(), all.slice(0, move).sort());
      assert.equal(await page.locator("[data-last]").count(), move === 0 ? 0 : 1);
      if (move > 0) assert.equal(await page.locator("[data-last]").getAttribute("data-cell"), all[move - 1]);
      const won = await page.locator("[data-won]").evaluateAll((found) => found.map((cell) => cell.dataset.cell).sort());
      assert.deepEqual(won, move === all.length ? [...view.winning].sort() : []);
      // A cursor in each picture.
      if (move > 0) await untilCount(page.locator(`[data-cursor="${move}"]`), 4);
    };
    await at(all.length);
    assert.ok(view.winning.length > 0);
    await page.keyboard.press("ArrowLeft");
    await at(all.length - 1);
    await page.waitForURL(new RegExp(`move=${all.length - 1}$`));
    await page.keyboard.press("Home");
    await at(0);
    await page.keyboard.press("ArrowRight");
    await at(1);
    await untilSays(page.locator(".move-words"), /^Move 1 of \d+, opening: White/);
    await page.getByRole("button", { name: "Move on" }).click();
    await page.getByRole("button", { name: "Move on" }).click();
    await at(3);
    const third = view.moves[0];
    await untilSays(page.locator(".move-words"), `expects ${percent(third.value)} % after ${third.sims} simulation`);
    await page.getByLabel("Move", { exact: true }).fill("5");
    await at(5);
    await page.getByLabel("Move", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await at(6);
    await page.getByRole("button", { name: "Last position" }).click();
    await at(all.length);
    const again = await browser.open(`${gauntlet.url}/games/${id}?move=4&numbering=gui&numbers=yes`);
    await again.locator('svg.board[data-move="4"]').waitFor();
    await untilSays(again.locator(".move-words"), ` on ${all[3]}, expects`);
    await again.close();
  });

  await t.test("it tells both players apart, and every number of the API is in its table", async () => {
    await page.getByText("All moves", { exact: true }).click();
    await untilCount(page.locator(".moves tbody tr"), all.length);
    const table = await page.locator(".moves tbody tr").evaluateAll((found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
    view.moves.forEach((move, i) => {
      const row = table[view.opening.length + i];
      assert.equal(row[4], percent(move.value));
      assert.equal(Number(row[6].replace(/\D/g, "")), move.sims);
      assert.equal(Number(row[7].replace(/\D/g, "")), move.nodes);
    });
    const words = await page.locator("main").innerText();
    for (const { name, case: of, baseline } of view.parameters) {
      assert.match(words.replace(/\s+/g, " "), new RegExp(`${name} ${of} ${baseline}`));
    }
    await page.getByRole("button", { name: "Show move 2", exact: true }).click();
    await page.locator('svg.board[data-move="2"]').waitFor();
  });

  await t.test("its game file is one, and the command plays it again", async () => {
    const waiting = page.waitForEvent("download");
    await page.locator(".downloads").getByText("SGF", { exact: true }).click();
    const download = await waiting;
    const text = await readFile(await download.path(), "utf8");
    assert.match(text, /^\(;FF\[4\]CA\[UTF-8\]SZ\[5\]NUMBERING\[gui\]/);
    assert.equal(text.match(/;[WB]\[/g).length, all.length);
    const command = await page.locator(".command pre").innerText();
    assert.equal(command, `gauntlet game replay ${id} --coordinator ${gauntlet.url}`);
    assert.match(await gauntlet.command(["game", "replay", id]), /Every move, value, claim, simulation and node count is as recorded/);
  });

  await t.test("sums by move number are those of the API", async () => {
    const sums = await gauntlet.get(`/api/v1/games/by-move?experiment=${experiment.id}&size=4`);
    await page.goto(`${gauntlet.url}/games?experiment=${experiment.id}&size=4`);
    await page.getByRole("button", { name: "By move number" }).click();
    await untilCount(page.locator(".by-move .chart > svg"), 8);
    await untilSays(page.locator(".by-move .meaning"), `All ${sums.games} games`);
    await page.getByText("The numbers", { exact: true }).click();
    await untilCount(page.locator(".by-move tbody tr"), sums.numbers.length);
    const table = await page.locator(".by-move tbody tr").evaluateAll((found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
    sums.numbers.forEach(({ ply, going, case: of }, i) => {
      assert.equal(table[i][0], String(ply));
      assert.equal(table[i][1], percent(going));
      if (of !== undefined) assert.equal(table[i][6], percent(of.value.mean));
    });
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  await t.test("a play that was excluded says so, wherever it is shown", async () => {
    await gauntlet.command(["game", "exclude", id, "--why", "a <b>reason</b>"]);
    const { games } = await gauntlet.get("/api/v1/games?status=excluded");
    assert.deepEqual(games.map((game) => game.id), [id]);
    await page.goto(`${gauntlet.url}/games?status=excluded`);
    await rows(page).first().getByText("excluded").waitFor();
    await rows(page).first().getByRole("link").first().click();
    await page.locator("[data-status=excluded]").getByText("because: a <b>reason</b>", { exact: false }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  for (const dark of [false, true]) {
    for (const width of [400, 2200]) {
      await t.test(`everything fits ${width} pixels in the ${dark ? "dark" : "light"} and is open to everybody`, async () => {
        for (const path of ["/games", `/games/${id}`, "/games?show=moves"]) {
          const narrow = await browser.open(gauntlet.url + path, { width, dark });
          await narrow.locator("tr[data-game], .chart svg").first().waitFor();
          assert.equal(await overflow(narrow), 0, path);
          assert.deepEqual(await accessibilityFaults(narrow), [], path);
          await narrow.close();
        }
      });
    }
  }

  await t.test("an address of no game says so", async () => {
    const gone = await browser.open(`${gauntlet.url}/games/00000000-0000-4000-8000-000000000000`, { expected: /404/ });
    await gone.getByRole("heading", { name: "No such game" }).waitFor();
  });
});

scenario("games with hostile names, and none at all", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/games`, { width: 400 });
  await page.getByTestId("no-games").getByText("No game has arrived yet").waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const token = (await gauntlet.command(["token", "add", "w", "--scope", "work"])).trim();
  await gauntlet.command(["apply", HOSTILE]);
  await gauntlet.work(clean, ["--coordinator", gauntlet.url, "--token", token, "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"]);
  // The coordinator's control plays, too.
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ is_control }) => !is_control);
  const four = async () => {
    const { games } = await gauntlet.get(`/api/v1/games?experiment=${id}`);
    return games.length === 4 && games;
  };
  const games = await until(four, "four games", PLAYED_MS);
  await page.locator("tr[data-game]").first().waitFor();
  await page.goto(`${gauntlet.url}/games?experiment=${id}`);
  await untilCount(page.locator("tr[data-game]"), 4);
  for (const path of [`/games?experiment=${id}`, `/games/${games[0].id}`]) {
    await page.goto(gauntlet.url + path);
    await page.locator("main :is(td, h1)").filter({ hasText: "<script>globalThis.broken = true</script>" }).first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
    assert.equal(await page.locator("main b").filter({ hasText: /^base$/ }).count(), 0);
    assert.equal(await overflow(page), 0, path);
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  const file = await gauntlet.get(`/api/v1/games/${games[0].id}/sgf`);
  assert.ok(file.includes("PW[") && file.includes("<script>"));
});

/** Waits until the pair shown goes on; false if it is over before that. */
async function goesOn(page, moved) {
  const over = async () => (await page.locator("main").getByText("not played any more").count()) > 0;
  return (await until(async () => ((await moved()) ? "on" : (await over()) && "over"), "a move", PLAYED_MS)) === "on";
}

/** Shows one pair in play after another, until one is watched: a pair may be over before its worker tells a move. */
async function untilWatched(page, gauntlet, watched) {
  do {
    await page.goto(`${gauntlet.url}/games`);
    await page.getByText(/\d+ pairs? in play/).click({ timeout: PLAYED_MS });
    await page.getByRole("region", { name: "Pairs in play" }).getByRole("link").first().click();
    await page.waitForURL(/live=/);
  } while (!(await watched()));
}

scenario("a game in play is watched move by move", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean), file: SLOW });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/games`, { width: 400, expected: /404/ });
  const board = page.locator("svg.board");
  const move = async () => Number(await board.getAttribute("data-move"));
  // When the first game of the pair ends, the second begins with fewer moves.
  const changes = async (read) => {
    const before = await read();
    return goesOn(page, async () => (await read()) !== before);
  };
  await untilWatched(page, gauntlet, async () => {
    if (!(await goesOn(page, async () => (await board.count()) === 1))) return false;
    if (!(await changes(move))) return false;
    await page.locator(".by-move .chart > svg").first().waitFor();
    if (!(await changes(move))) return false;
    // Who steps back stays there while the game goes on.
    await page.keyboard.press("Home");
    await page.locator('svg.board[data-move="0"]').waitFor();
    return changes(() => page.getByLabel("Move", { exact: true }).getAttribute("max"));
  });
  assert.equal(await move(), 0);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  const gone = await browser.open(`${gauntlet.url}/games?live=00000000-0000-4000-8000-000000000000`, { expected: /404/ });
  await gone.getByRole("heading", { name: "This pair is over" }).waitFor();
});

scenario("a pair is watched to its end", async (clean) => {
  const folder = await temporaryFolder(clean);
  const file = join(folder, "brief.toml");
  // On a fast machine a game lasts longer than the time between two looks, and on a slow one some minutes at most.
  await writeFile(file, (await readFile(SLOW, "utf8")).replace("6 = 1", "5 = 1").replace("1_000_000", "600_000"));
  const gauntlet = await startGauntlet(clean, { folder, file });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/games`, { expected: /404/ });
  const links = (notice) => page.getByTestId(notice).getByRole("link").evaluateAll((all) => all.map((link) => new URL(link.href).pathname));
  let games;
  await untilWatched(page, gauntlet, async () => {
    const lease = new URL(page.url()).searchParams.get("live");
    ({ games } = await gauntlet.get(`/api/v1/games/in-play/${lease}`).catch(() => ({})));
    if (games === undefined) return false;
    let first;
    const second = async () => (first = await links("first-over")).length > 0;
    if (!(await goesOn(page, second))) return false;
    assert.deepEqual(first, [`/games/${games[0]}`]);
    return true;
  });
  await page.getByTestId("over").waitFor({ timeout: PLAYED_MS });
  assert.deepEqual(await links("over"), games.map((id) => `/games/${id}`));
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("link", { name: "the second game" }).click();
  await page.locator("svg.board [data-won], svg.board [data-last]").first().waitFor();
});
