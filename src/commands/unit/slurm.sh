#!/bin/bash
# Gauntlet workers as a job array of Slurm: `sbatch --array=1-20 THIS-FILE`. With --join, make the code for as many
# machines as there are tasks: `gauntlet token join --machines 20 --expires 1d`.
#SBATCH --job-name=gauntlet
#SBATCH --array=1-4
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --requeue
# So many seconds before the end, a minute more than --grace: no more work is taken, and the games in hand are played to their end.
#SBATCH --signal=B:TERM@@STOP@
set -eu
# Each task keeps its directory from job to job: its identity, its token, and games that could not be sent.
state=${GAUNTLET_STATE:-$HOME/.local/state/gauntlet}/task-${SLURM_ARRAY_TASK_ID:-0}
mkdir -p "$state"
# In place of this shell, so that the signal reaches it.
exec @PROGRAM@ work --dir "$state" --slots "${SLURM_CPUS_PER_TASK:-1}" --pin auto --label slurm \
    --exit-when-idle 15m@OPTIONS@
