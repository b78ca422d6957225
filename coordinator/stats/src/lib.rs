//! The statistics of the dashboard, the exports, the planner and the stopping rules: pure functions of counts.
//!
//! The unit of data is the *pair*: two games between the same players from the same opening and seed, with colours
//! swapped. The advantage of the first move makes the two games of a pair disagree more often than chance. An interval
//! that treats the games as independent is therefore up to 1.5 times too wide. Half-finished pairs are never counted.
//! Rates are scores of the case per game, from 0 to 1; a draw counts as half.
//!
//! Begin with [`PairCounts`], the counts of a cell, and [`Summary`], what is said of them.

pub mod abandoned;
mod agreement;
mod best;
mod brownian;
mod chi_square;
mod confirmation;
mod control;
mod counts;
mod curve;
mod elo;
mod estimate;
mod importance;
mod interval;
mod length;
mod logistic;
mod lowest_mean;
pub mod matrix;
mod multinomial;
mod multiple;
mod normal;
mod numbers;
mod paired;
mod peak;
mod permutation;
mod planning;
mod published;
mod rating;
mod residual;
mod rule;
mod running;
mod score_interval;
mod sequence;
mod shape;
mod shrinkage;
mod sizes;
mod solve;
mod sprt;
mod stakes;
mod standardised;
mod stratified;
mod summary;
pub mod sweep;
mod unfinished;
mod verdict;
mod walk;
mod winners_curse;
mod words;

pub use agreement::{ComparedGames, OFF_LEVEL, OFF_RATIO, agreed, factor, is_off, level};
pub use best::{Round, halving, may_be_best, ocba, prob_best, top_two};
pub use chi_square::ChiSquare;
pub use confirmation::{Confirmed, ExpectedPairs, Outcomes};
pub use control::{Control, TrafficLight, control};
pub use counts::{Moments, PairCounts};
pub use curve::{Curve, Optimum, OptimumKind, TriedValue, is_logarithmic};
pub use elo::{NORMALISED_ELO, elo_difference, elo_error, expected_score, normalised_elo};
pub use estimate::{RateEstimate, common_variance, pooled_variances};
pub use importance::{EffectModel, Importance, Importances, Level, Value, importances, varying};
pub use interval::{agresti_coull, clopper_pearson, jeffreys, newcombe, score_of_games, wilson};
pub use length::Characteristics;
pub use logistic::sigmoid;
pub use multinomial::{constrained, dirichlet_log_e_value, llr_of_means, log_likelihood};
pub use multiple::{benjamini_hochberg, best_p_value, e_bh};
pub use normal::{OutsideUnitInterval, probability_below, quantile};
pub use numbers::{count, counted, number};
pub use paired::{JointCounts, PairedDifference, agreement, paired_difference};
pub use planning::{Test, detectable, games_for_half_width, games_to_detect};
pub use published::{
    Agreement, Difference, Differences, Rate, Resemblance, difference, differences, resemblance,
};
pub use rating::{Games, RatingError, Ratings};
pub use residual::{
    Outlier, OwnGames, Residual, ResidualScope, SharedCell, SpeedDeviation, alarm_levels, outliers,
    over_level, speeds_off,
};
pub use rule::{Decision, Interval, Reading, Rule, RuleError};
pub use running::Running;
pub use sequence::{ASYMPTOTIC_OPTIMUM, PRIOR, asymptotic_sequence, confidence_sequence, log_e_value};
pub use shape::Shape;
pub use shrinkage::{Shrunken, shrink};
pub use sizes::{
    average_over_sizes, completed_averages, heterogeneity, heterogeneity_of_cells, interaction_of_pairs,
    weighted_average,
};
pub use solve::NoSolution;
pub use sprt::{Hypotheses, InvalidSprt, Sprt};
pub use standardised::llr_of_normalised_elo;
pub use stratified::StratifiedMean;
pub use summary::{INTERVAL_METHOD, SEQUENCE_METHOD, Summary, live_summary, summary};
pub use unfinished::{BegunPairs, Unfinished};
pub use verdict::{Verdict, verdict};
pub use walk::Estimate;
pub use winners_curse::luck_of_the_best;
pub use words::{guarantee, sequence_words};
