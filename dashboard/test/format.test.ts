import { expect, test } from "vitest";
import { ago, brief, budget, count, counted, duration, elo, eloInterval, hundredths, interval, kilo, number, percent, perMinute, progress, ratio, sequence, valueText } from "../src/format";

test("rates are per cent with one decimal, and a dash before the first pair", () => {
  expect(percent(0.72164)).toBe("72.2");
  expect(percent(1)).toBe("100.0");
  expect(percent(null)).toBe("–");
  expect(interval(0.6801, 0.7609)).toBe("68.0–76.1");
  expect(interval(null, 0.5)).toBe("–");
});

test("halves are rounded as the coordinator rounds them", () => {
  expect([0.5225, 0.5275, 0.4775, 0.4725].map(percent)).toEqual(["52.2", "52.8", "47.8", "47.2"]);
});

test("what holds at any look is rounded outwards, as in the coordinator's words", () => {
  expect(sequence(0.52364, 0.71039)).toBe("52.3–71.1");
  expect(sequence(0.394, 1)).toBe("39.4–100.0");
  expect(sequence(0.4991, 0.5022)).toBe("49.91–50.22");
  expect(sequence(null, null)).toBe("–");
});

test("large numbers are grouped", () => {
  expect(count(999)).toBe("999");
  expect(count(1234567)).toBe("1\u202f234\u202f567");
  expect(counted(1, "pair")).toBe("1 pair");
  expect(counted(0, "pair")).toBe("0 pairs");
  expect(kilo(45_454.5)).toBe("45.5k");
  expect(kilo(1_234_567)).toBe("1.23M");
  expect([102.78, 74.95, 1, 0.87, 0.0331].map(ratio)).toEqual(["103", "75.0", "1.00", "0.87", "0.033"]);
  expect(perMinute(0)).toBe("0");
  expect(perMinute(3.14)).toBe("3.1");
});

test("a cell shared with another experiment does not have 20 of 10 games", () => {
  expect(progress(12, 20)).toBe("12 of 20");
  expect(progress(20, 10)).toBe("20, shared; 10 planned here");
});

test("durations have two units", () => {
  expect(duration(0)).toBe("0\u00a0s");
  expect(duration(59.6)).toBe("1\u00a0min");
  expect(duration(61)).toBe("1\u00a0min 1\u00a0s");
  expect(duration(7_500)).toBe("2\u00a0h 5\u00a0min");
  expect(duration(90_000)).toBe("1\u00a0d 1\u00a0h");
  expect(ago(1)).toBe("just now");
  expect(ago(61)).toBe("1\u00a0min ago");
});

test("Elo differences carry their sign", () => {
  expect([elo(12.4), elo(-3.6), elo(0.2), elo(null)]).toEqual(["+12", "−4", "0", "–"]);
  expect([eloInterval(-12.4, 3), eloInterval(null, null)]).toEqual(["−12 to +3", "−∞ to +∞"]);
});

test("two decimals have a sign only if they are not zero", () => {
  expect([2.944, -2.944, -0.001].map(hundredths)).toEqual(["2.94", "−2.94", "0.00"]);
});

test("no number is longer than people read, and each is written as the coordinator writes it", () => {
  expect([0.1 + 0.2, 1500, -2.5, 1e308, 280e9, 0.000_12, 5e-324, 0, Infinity].map((value) => number(value))).toEqual(["0.3", "1500", "-2.5", "1e308", "2.8e11", "0.00012", "5e-324", "0", "∞"]);
  expect(count(280_000_000)).toBe("280\u202f000\u202f000");
  expect(count(2.8e12)).toBe("2.8e12");
  expect(brief(3e250)).toBe("3e250");
  expect([valueText(0.30000000000000004), valueText(true), valueText("off"), valueText(1e9)]).toEqual(["0.3", "true", "off", "1e9"]);
  expect(budget({ reference_seconds: 0.1 + 0.2 })).toBe("0.3 reference s a move");
});
