//! Quantiles of the normal distribution.

use thiserror::Error;

/// An argument that must be strictly between 0 and 1, and is not.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not between 0 and 1")]
pub struct OutsideUnitInterval(pub f64);

/// The quantile of the standard normal distribution at probability `p`, to about 16 digits.
///
/// Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37
/// (1988), function PPND16.
///
/// # Errors
/// When `p` is not strictly between 0 and 1.
pub fn quantile(p: f64) -> Result<f64, OutsideUnitInterval> {
    if !(p > 0.0 && p < 1.0) {
        return Err(OutsideUnitInterval(p));
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return Ok(q * ratio(0.180625 - q * q, &CENTRE));
    }
    let outside = if q < 0.0 { p } else { 1.0 - p };
    let r = (-outside.ln()).sqrt();
    let tail = if r <= 5.0 { ratio(r - 1.6, &TAIL) } else { ratio(r - 5.0, &FAR_TAIL) };
    Ok(tail.copysign(q))
}

/// The quantile for a two-sided interval with a confidence such as 0.95.
pub(super) fn two_sided(confidence: f64) -> Result<f64, OutsideUnitInterval> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(OutsideUnitInterval(confidence));
    }
    // The lower tail is exact; (1 + confidence) / 2 would round to 1 for a confidence close to 1.
    quantile((1.0 - confidence) / 2.0).map(f64::abs)
}

/// Coefficients of a rational function; the constant terms come first.
struct Rational {
    numerator: [f64; 8],
    denominator: [f64; 8],
}

fn ratio(x: f64, of: &Rational) -> f64 {
    let value = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(&of.numerator) / value(&of.denominator)
}

const CENTRE: Rational = Rational {
    numerator: [
        3.387_132_872_796_366_5,
        1.331_416_678_917_843_8e2,
        1.971_590_950_306_551_3e3,
        1.373_169_376_550_946e4,
        4.592_195_393_154_987e4,
        6.726_577_092_700_87e4,
        3.343_057_558_358_813e4,
        2.509_080_928_730_122_7e3,
    ],
    denominator: [
        1.0,
        4.231_333_070_160_091e1,
        6.871_870_074_920_579e2,
        5.394_196_021_424_751e3,
        2.121_379_430_158_659_7e4,
        3.930_789_580_009_271e4,
        2.872_908_573_572_194_3e4,
        5.226_495_278_852_854e3,
    ],
};

const TAIL: Rational = Rational {
    numerator: [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        2.417_807_251_774_506e-1,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    denominator: [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        6.897_673_349_851e-1,
        1.481_039_764_274_800_8e-1,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
};

const FAR_TAIL: Rational = Rational {
    numerator: [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        2.965_605_718_285_048_7e-1,
        2.653_218_952_657_612_4e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    denominator: [
        1.0,
        5.998_322_065_558_88e-1,
        1.369_298_809_227_358e-1,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_pythons_statistics_module() {
        for (p, expected) in [
            (1e-300, -37.0470962993612),
            (1e-20, -9.262340089798405),
            (1e-09, -5.9978070150076865),
            (0.001, -3.090232306167813),
            (0.025, -1.9599639845400538),
            (0.07, -1.4757910281791702),
            (0.08, -1.4050715603096322),
            (0.3, -0.5244005127080407),
            (0.6, 0.2533471031357998),
            (0.9249, 1.4388253927525403),
            (0.9251, 1.4402382675279632),
            (0.975, 1.9599639845400536),
            (0.9999, 3.7190164854557084),
        ] {
            let found = quantile(p).expect("inside");
            assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{p}: {found} instead of {expected}");
        }
        assert_eq!(quantile(0.5), Ok(0.0));
    }

    #[test]
    fn quantiles_outside_0_to_1_are_refused() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(quantile(p).is_err(), "{p}");
            assert!(two_sided(p).is_err(), "{p}");
        }
    }

    #[test]
    fn the_usual_confidence_has_the_usual_quantile() {
        assert!((two_sided(0.95).expect("inside") - 1.959_963_984_540_054).abs() < 1e-14);
    }
}
