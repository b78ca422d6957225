//! `gauntlet experiment weight`.

use super::ExperimentsArgs;
use super::change::{look_all, make};
use crate::commands::cells::Cells;
use crate::commands::results::report_of;
use crate::commands::target::TargetArgs;
use protocol::life::ExperimentChange;

/// Sets the weights of experiments, or of some of their cells.
pub(super) async fn run(
    experiments: ExperimentsArgs,
    weight: f64,
    cells: Cells,
    target: TargetArgs,
) -> anyhow::Result<()> {
    if cells.are_all() {
        return super::change::run(experiments, ExperimentChange::Weight(weight), target).await;
    }
    let target = target.open().await?;
    let done = async {
        let mut changes = Vec::new();
        for one in look_all(&target, &experiments).await? {
            let mut report = report_of(&target, &one.id.to_string()).await?;
            cells.keep(&mut report)?;
            let points = report.series.iter().flat_map(|series| &series.points);
            let cells = points.map(|point| point.cell).collect();
            changes.push((one, ExperimentChange::CellWeights { cells, factor: weight }));
        }
        for (one, wanted) in changes {
            make(&target, &one, &wanted).await?;
        }
        anyhow::Ok(())
    }
    .await;
    target.close().await;
    done
}
