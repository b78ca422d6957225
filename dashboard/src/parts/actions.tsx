/** What may be done to an experiment. Each action first says what follows from it. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { changeExperiment, type ExperimentChange, type ExperimentSummary, type Session } from "../api";
import { counted, inPercent, number } from "../format";
import { ActionButtons, Dialog } from "./dialog";
import { needed } from "./ended";
import { allows } from "./session";

type Action = "pause" | "resume" | "stop" | "archive" | "unarchive" | "weight" | "note" | "tags";

const NAMES: Record<Action, string> = {
  pause: "Pause",
  resume: "Resume",
  stop: "Stop",
  archive: "Archive",
  unarchive: "Take out of the archive",
  weight: "Weight",
  note: "Note",
  tags: "Tags",
};

/** The actions that an experiment allows as it stands. */
export function actionsOf({ state, is_control }: ExperimentSummary): Action[] {
  const own: Partial<Record<ExperimentSummary["state"], Action[]>> = {
    archived: ["unarchive"],
    paused: ["resume", "weight", "stop", "archive"],
    stopped: ["archive"],
  };
  const others: Action[] = ["pause", "weight", ...(is_control || state === "finished" ? [] : ["stop" as const]), "archive"];
  return [...(own[state] ?? others), "note", "tags"];
}

/** The part of the workers that a weight gets beside these experiments, from 0 to 1. */
export function shareOf(weight: number, others: readonly ExperimentSummary[]): number {
  const active = others.filter(({ state }) => state === "active").reduce((sum, other) => sum + other.weight, 0);
  return weight / (weight + active);
}

/** What follows from an action, in words. */
export function consequence(action: Action, summary: ExperimentSummary, all: readonly ExperimentSummary[], weight: number): string {
  const { name, games_done, pairs_in_flight, id, is_control: isEndless } = summary;
  const others = all.filter((other) => other.id !== id);
  const share = (of: number) => inPercent(shareOf(of, others));
  const left = counted(Math.max(0, needed(summary) - games_done), "game");
  const inPlay = pairs_in_flight === 0 ? "Nothing of it is in play." : `${counted(pairs_in_flight, "pair")} in play ${pairs_in_flight === 1 ? "is" : "are"} finished and count.`;
  const rest = others.some(({ state }) => state === "active") ? "The other experiments get its part of the workers." : "No other experiment is active: the workers will idle.";
  const words: Record<Action, string> = {
    pause: `${name} hands out no more games${isEndless ? "" : `: ${left} stay missing`} until it is resumed. ${inPlay} ${rest}`,
    resume: `${name} hands out ${isEndless ? "games" : `its missing ${left}`} again. With its weight of ${number(summary.weight)} it gets about ${share(summary.weight)} of the workers while the other active experiments have games left.`,
    stop: `${name} ends for good: ${left} will never be played, and it cannot be resumed or revised. ${inPlay} ${rest} Its results stay where they are. As a person chose the moment, only the intervals that hold at any look are sure to hold. To wait only, pause it.`,
    archive: `${name} hands out no more games and leaves the lists${isEndless ? "" : `: ${left} will not be played`}. ${inPlay} ${rest} All results stay stored, at this address too, and it can be taken out of the archive.`,
    unarchive: `${name} comes back into the lists, and ${isEndless ? "its games" : `its missing ${left}`} are handed out again unless it is paused.`,
    weight: `While all active experiments have games left, ${name} gets about ${share(weight)} of the workers instead of ${share(summary.weight)}. Games in play are not stopped.`,
    note: "The note goes on the timeline with your name and the time. It cannot be taken back.",
    tags: "Tags find experiments in lists. What you add and remove is on the timeline.",
  };
  return words[action];
}

interface ActionsProps {
  summary: ExperimentSummary;
  /** All experiments that share the workers. */
  others: readonly ExperimentSummary[];
  session: Session | undefined;
}

export function Actions({ summary, others, session }: ActionsProps) {
  if (!allows(session, "experiment")) {
    return session === undefined ? null : (
      <p class="actions-hint">
        To pause, weigh or archive it, sign in with a token of the scope <code>experiment</code>, or use <code>gauntlet experiment</code>.
      </p>
    );
  }
  const ask = (action: Action, close: () => void) => <Confirm action={action} summary={summary} others={others} close={close} />;
  return <ActionButtons on={summary.name} actions={actionsOf(summary)} names={NAMES} ask={ask} />;
}

interface ConfirmProps extends Pick<ActionsProps, "summary" | "others"> {
  action: Action;
  close: () => void;
}

/** The words of a list, separated by commas. */
const listed = (text: string) => text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));

function Confirm({ action, summary, others, close }: ConfirmProps) {
  const [text, setText] = useState(action === "weight" ? String(summary.weight) : action === "tags" ? summary.tags.join(", ") : "");
  const weight = Number(text.replace(",", "."));
  const isValid = action !== "weight" || (Number.isFinite(weight) && weight > 0);
  const isSaved = action === "weight" || action === "tags" || action === "note";
  return (
    <Dialog
      title={NAMES[action]}
      answer={isSaved ? "Save" : NAMES[action]}
      isReady={isValid}
      perform={() => changeExperiment(summary.id, changeOf(action, summary, text, weight))}
      close={close}
    >
      <Asked action={action} text={text} setText={setText} />
      <p class="consequence" role={isValid ? undefined : "alert"}>
        {isValid ? consequence(action, summary, others, action === "weight" ? weight : summary.weight) : "A weight is a number above 0, such as 0.5 or 2."}
      </p>
    </Dialog>
  );
}

/** The field of what an action needs to be told. */
function Asked({ action, text, setText }: { action: Action; text: string; setText: (text: string) => void }): ComponentChildren {
  const field = { value: text, onInput: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value) };
  if (action === "weight") return <label>Weight, relative to other experiments <input inputMode="decimal" required {...field} /></label>;
  if (action === "note") return <label>Note <textarea rows={3} required {...field} /></label>;
  return action === "tags" && <label>Tags, separated by commas <input {...field} /></label>;
}

export function changeOf(action: Action, { tags }: ExperimentSummary, text: string, weight: number): ExperimentChange {
  if (action === "weight") return { weight };
  if (action === "note") return { note: text };
  if (action !== "tags") return action;
  const wanted = listed(text);
  return { tags: { add: wanted.filter((tag) => !tags.includes(tag)), remove: tags.filter((tag) => !wanted.includes(tag)) } };
}
