/** What comes after a ranking: a case is confirmed on fresh openings, and then made a baseline. */

import { useEffect, useState } from "preact/hooks";
import { confirmCase, promoteCase, type ConfirmAnswer } from "../api";
import type { Line } from "../charts/panels";
import { count, counted, number } from "../format";
import { troubleOf } from "../live";
import { pathOf } from "../routes";
import { Dialog } from "./dialog";
import { Alert, Words } from "./elements";
import { Menu } from "./menu";

interface PromotionProps {
  experiment: string;
  line: Line;
}

/** In a row of the ranking: how the case was confirmed, and which baseline it is. */
export function Promotion({ line: { series: { confirmation, promoted } } }: Pick<PromotionProps, "line">) {
  return (
    <>
      {confirmation !== undefined && (
        <a href={pathOf("experiment", confirmation.experiment)} title={confirmation.words}>
          {confirmation.verdict.replaceAll("_", " ")}
        </a>
      )}
      {promoted !== undefined && <span class="tag">baseline {promoted}</span>}
    </>
  );
}

/** What can be done with a case next, in a menu; nothing if all is done. */
export function PromotionMenu({ experiment, line }: PromotionProps) {
  const [open, setOpen] = useState<"confirm" | "promote">();
  const close = () => setOpen(undefined);
  const { name } = line.case;
  const { confirmation, promoted } = line.series;
  if (confirmation !== undefined && promoted !== undefined) return null;
  return (
    <>
      <Menu label="⋯" name={`Actions on ${name}`}>
        {confirmation === undefined && <ActionItem action="Confirm" on={name} open={() => setOpen("confirm")} />}
        {promoted === undefined && <ActionItem action="Promote" on={name} open={() => setOpen("promote")} />}
      </Menu>
      {open === "confirm" && <Confirm experiment={experiment} line={line} close={close} />}
      {open === "promote" && <Promote experiment={experiment} line={line} close={close} />}
    </>
  );
}

function ActionItem({ action, on, open }: { action: string; on: string; open: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" aria-label={`${action} ${on}`} onClick={open}>{action}…</button>
  );
}

type DialogProps = PromotionProps & { close: () => void };

function Confirm({ experiment, line: { case: owner, series }, close }: DialogProps) {
  const [answer, setAnswer] = useState<ConfirmAnswer>();
  const [trouble, setTrouble] = useState<string>();
  const request = { case: owner.name, against: series.baseline_label, again: false };
  useEffect(() => {
    confirmCase(experiment, { ...request, preview: true }).then(setAnswer, (error: unknown) => setTrouble(troubleOf(error)));
  }, []);
  const plan = answer?.plan;
  return (
    <Dialog
      title={`Confirm ${owner.name}`}
      answer="Begin"
      isReady={plan !== undefined}
      perform={async () => void (await confirmCase(experiment, { ...request, preview: false }))}
      close={close}
    >
      <Alert words={trouble} />
      {answer === undefined && trouble === undefined && <p>Asking what would be played…</p>}
      {answer?.confirmation !== undefined && plan === undefined && (
        <p>
          <Words of={answer.confirmation.words} />
        </p>
      )}
      {plan !== undefined && (
        <div class="consequence">
          <p>
            A new experiment, {plan.name}, plays {plan.case} against {plan.baseline} in {counted(plan.cells.length, "cell")}, with the
            weight {number(plan.weight)}. <Words of={plan.openings} />
          </p>
          <p>
            Each cell is tested: <Words of={plan.rule} />.
          </p>
          <p>
            It takes about {count(plan.pairs_if_lower)} pairs if H0 is true, {count(plan.pairs_if_upper)} if H1 is,
            and {count(plan.pairs_if_between)} halfway between.
          </p>
        </div>
      )}
    </Dialog>
  );
}

function Promote({ experiment, line: { case: owner, series }, close }: DialogProps) {
  const [name, setName] = useState("");
  const [anyway, setAnyway] = useState(false);
  const isConfirmed = series.confirmation?.verdict === "confirmed";
  const perform = async () => {
    const request = { case: owner.name, against: series.baseline_label, unconfirmed: anyway, ...(name.trim() !== "" && { name: name.trim() }) };
    await promoteCase(experiment, request);
  };
  return (
    <Dialog title={`Promote ${owner.name}`} answer="Promote" isReady={isConfirmed || anyway} perform={perform} close={close}>
      <label>
        Name of the baseline <input value={name} placeholder={owner.name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="consequence">
        {owner.name} becomes a named baseline that never changes. Experiment files use it as <code>baseline = "NAME"</code>, and its
        lineage says where it comes from. This cannot be taken back.
      </p>
      {!isConfirmed && (
        <label class="check">
          <input type="checkbox" checked={anyway} onChange={(event) => setAnyway(event.currentTarget.checked)} /> Promote it although it
          is not confirmed: {series.confirmation?.words ?? "no confirmation was begun"}
        </label>
      )}
    </Dialog>
  );
}
