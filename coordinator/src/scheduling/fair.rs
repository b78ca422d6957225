//! Shares of experiments: start-time fair queueing (Goyal, Vin, Cheng: *Start-Time Fair Queuing*, 1996).
//!
//! The work of an experiment is counted in core seconds. Its virtual time is the work that it was charged, divided by its
//! weight. The next pair is leased for the experiment with the smallest virtual time that has a cell for the calling
//! worker. A lease is charged with an estimate, which is corrected when the lease ends. So the core seconds of experiments
//! that wait together are in the ratio of their weights, whatever their games cost and however many cells they have.
//!
//! An experiment enters the queue at the virtual time of the queue: it has no claim to time in which it did not wait. An
//! experiment waits while it is active and has a cell with pairs to be leased. One that waits and was not served for ten minutes,
//! although the queue moved on, had no worker that could play it. It has no claim to that time, either.

use crate::store::Contender;

/// An experiment that was passed over for so long had no worker that could play it. In milliseconds.
const PASSED_OVER_MS: i64 = 600_000;

/// The virtual time of the queue: the largest virtual time at which a waiting experiment's last lease began.
///
/// While all workers can play everything, every waiting experiment is within one lease of that time. An experiment that
/// few workers can play lags behind, and does not count.
pub(crate) fn queue_time<'a>(contenders: impl IntoIterator<Item = &'a Contender>) -> Option<f64> {
    let waiting = contenders.into_iter().filter(|contender| contender.waits);
    let began = waiting.filter_map(|contender| Some(contender.virtual_start?.min(contender.virtual_time)));
    began.reduce(f64::max)
}

/// Lets experiments that now wait enter the queue at its time, or at `idle` if the queue was empty. Removes those that no longer
/// wait. Gives the experiments that changed.
pub(crate) fn update(contenders: &mut [Contender], idle: f64, now_ms: i64) -> Vec<Contender> {
    let time = queue_time(&*contenders).unwrap_or(idle);
    let mut moved = Vec::new();
    for contender in contenders {
        let is_in = contender.virtual_start.is_some();
        let passed_over = now_ms - contender.served_ms > PASSED_OVER_MS && contender.virtual_time < time;
        if contender.waits && (!is_in || passed_over) {
            contender.virtual_time = contender.virtual_time.max(time);
            contender.virtual_start = Some(contender.virtual_time);
            contender.served_ms = now_ms;
        } else if !contender.waits && is_in {
            contender.virtual_start = None;
        } else {
            continue;
        }
        moved.push(contender.clone());
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::experiment::Policy;
    use protocol::ids::ExperimentId;
    use uuid::Uuid;

    fn contender(id: u128, virtual_time: f64, virtual_start: Option<f64>) -> Contender {
        Contender {
            id: ExperimentId(Uuid::from_u128(id)),
            name: id.to_string(),
            weight: 2.0,
            policy: Policy::Coverage,
            waits: true,
            virtual_time,
            virtual_start,
            served_ms: 0,
            core_us: 0,
            prior_us: 0,
            is_control: false,
        }
    }

    #[test]
    fn a_newcomer_enters_at_the_time_of_the_queue_and_owes_nothing() {
        let mut all = [contender(1, 7.0, Some(5.0)), contender(2, 6.0, Some(4.0)), contender(3, 0.0, None)];
        assert_eq!(queue_time(&all), Some(5.0));
        let moved = update(&mut all, 0.0, 1_000);
        assert_eq!(moved, [all[2].clone()]);
        assert_eq!((all[2].virtual_time, all[2].virtual_start), (5.0, Some(5.0)));
        assert!(update(&mut all, 0.0, 1_000).is_empty());
    }

    #[test]
    fn who_returns_has_no_arrears_and_keeps_its_debt() {
        let mut all = [contender(1, 7.0, Some(5.0)), contender(2, 3.0, None), contender(3, 9.0, None)];
        update(&mut all, 0.0, 1_000);
        assert_eq!([all[1].virtual_time, all[2].virtual_time], [5.0, 9.0]);
        all[1].waits = false;
        update(&mut all, 0.0, 1_000);
        assert_eq!((all[1].virtual_time, all[1].virtual_start), (5.0, None));
    }

    #[test]
    fn the_first_after_an_idle_time_enters_where_the_queue_ended() {
        let mut all = [contender(1, 0.0, None)];
        update(&mut all, 40.0, 1_000);
        assert_eq!(all[0].virtual_time, 40.0);
    }

    #[test]
    fn who_no_worker_could_play_for_ten_minutes_enters_anew() {
        let mut all = [contender(1, 0.0, Some(0.0)), contender(2, 900.0, Some(899.0))];
        all[1].served_ms = 600_000;
        assert!(update(&mut all, 0.0, 600_000).is_empty());
        assert_eq!(update(&mut all, 0.0, 600_001), [all[0].clone()]);
        assert_eq!(all[0].virtual_time, 899.0);
        // One with a small weight that waits because it is ahead keeps its place.
        let mut all = [contender(1, 5_000.0, Some(0.0)), contender(2, 900.0, Some(899.0))];
        all[1].served_ms = 600_001;
        update(&mut all, 0.0, 600_001);
        assert_eq!(all[0].virtual_time, 5_000.0);
    }

    #[test]
    fn a_correction_downwards_takes_the_queue_back_with_it() {
        let all = [contender(1, 3.0, Some(5.0)), contender(2, 2.0, Some(2.0))];
        assert_eq!(queue_time(&all), Some(3.0));
    }

    #[test]
    fn a_charge_counts_for_the_weight() {
        let mut one = contender(1, 1.0, None);
        one.charge(3_000_000);
        assert_eq!(one.virtual_time, 2.5);
    }
}
