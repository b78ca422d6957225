// Makes a played database one of an older engine: no released program has played other games yet.

import { readFile, writeFile } from "node:fs/promises";
import initSqlJs from "sql.js";

/** Where the id of a cell stands: the columns of this name. */
const CELLS = "SELECT 'cell.id' UNION ALL SELECT own.name || '.cell' FROM sqlite_master own, pragma_table_info(own.name) field WHERE own.type = 'table' AND field.name = 'cell'";

/** Where the id of a game stands, which is made from that of its cell. */
const GAMES = ["game.id", "replay.game"];

/** Gives every cell of a database that no process has open this version of the engine, and with it and its games other ids. */
export async function makeOlder(file, semantics) {
  const sqlite = await initSqlJs();
  const database = new sqlite.Database(await readFile(file));
  const [{ values: cells }] = database.exec("SELECT lower(hex(id)) FROM cell");
  const [{ values: plans }] = database.exec("SELECT number, plan FROM experiment_revision");
  const id = (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const other = (hex) => `00${hex.slice(2)}`;
  for (const place of [...database.exec(CELLS)[0].values.flat(), ...GAMES]) {
    const [table, column] = place.split(".");
    database.run(`UPDATE ${table} SET ${column} = unhex('00' || substr(hex(${column}), 3))`);
  }
  for (const [number, plan] of plans) {
    const text = cells.reduce((text, [hex]) => text.replaceAll(id(hex), id(other(hex))), plan);
    database.run("UPDATE experiment_revision SET content = randomblob(16), plan = ? WHERE number = ?", [text, number]);
  }
  const [{ values: specs }] = database.exec("SELECT hex(id), spec FROM cell");
  for (const [hex, spec] of specs) {
    database.run("UPDATE cell SET spec = ? WHERE hex(id) = ?", [JSON.stringify({ ...JSON.parse(spec), semantics }), hex]);
  }
  for (const table of ["cell", "experiment", "experiment_cell"]) database.run(`UPDATE ${table} SET semantics = ?`, [semantics]);
  await writeFile(file, database.export());
  database.close();
}
