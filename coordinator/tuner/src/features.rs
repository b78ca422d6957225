//! A point as the explanatory variables of the regression in [`crate::fit`].

use crate::space::Space;

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// The strength of the baseline on a size.
    Baseline,
    /// The slope of a number.
    Slope,
    /// The curvature of a number.
    Square,
    /// The product of two numbers.
    Product,
    /// A value of a flag or word.
    Choice,
    /// The difference of a size in a slope or in the effect of a value.
    Size,
}

/// Which columns there are.
#[derive(Debug, Clone)]
pub(crate) struct Features {
    space: Space,
    /// The parameters that are numbers.
    numbers: Vec<usize>,
    /// The parameters that are flags or words, and how many values they have.
    choices: Vec<(usize, usize)>,
    /// Those of `numbers` whose products are columns.
    crossed: Vec<usize>,
    sizes: usize,
    columns: Vec<Column>,
}

/// Scratch space of [`Features::write`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// The row.
    pub(crate) x: Vec<f64>,
    /// Slopes and values.
    first: Vec<f64>,
}

impl Features {
    /// The columns for a space and a number of sizes. `crossed` are places among the numbers.
    pub(crate) fn new(space: &Space, sizes: usize, crossed: Option<Vec<usize>>) -> Self {
        let of = |i: usize| space.parameters()[i].kind.choices();
        let count = space.parameters().len();
        let numbers: Vec<usize> = (0..count).filter(|&i| of(i).is_none()).collect();
        let choices = (0..count).filter_map(|i| Some((i, of(i)?))).collect();
        let crossed = crossed.unwrap_or_else(|| (0..numbers.len()).collect());
        let mut features =
            Self { space: space.clone(), numbers, choices, crossed, sizes, columns: Vec::new() };
        features.columns = features.list();
        features
    }

    fn list(&self) -> Vec<Column> {
        let values: usize = self.choices.iter().map(|(_, values)| values).sum();
        let crossed = self.crossed.len();
        let mut columns = vec![Column::Baseline; self.sizes];
        let mut add = |group, count: usize| columns.extend(std::iter::repeat_n(group, count));
        add(Column::Slope, self.numbers.len());
        add(Column::Choice, values);
        add(Column::Square, self.numbers.len());
        add(Column::Product, crossed * crossed.saturating_sub(1) / 2);
        if self.sizes > 1 {
            add(Column::Size, self.sizes * (self.numbers.len() + values));
        }
        columns
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// Writes the row of a place on a mix of sizes. A parameter whose condition does not hold has zeros. So its coefficients are
    /// not fitted there.
    pub(crate) fn write(&self, place: &[f64], mix: &[f64], against_baseline: bool, row: &mut Row) {
        let Row { x, first } = row;
        x.clear();
        first.clear();
        let active = |i: usize| self.space.is_active(i, place);
        first.extend(self.numbers.iter().map(|&i| if active(i) { 2.0 * place[i] - 1.0 } else { 0.0 }));
        for &(i, values) in &self.choices {
            let value = if active(i) { place[i] as usize } else { values };
            first.extend((0..values).map(|one| f64::from(u8::from(one == value))));
        }
        x.extend(mix.iter().map(|weight| if against_baseline { *weight } else { 0.0 }));
        x.extend_from_slice(first);
        let numbers = &first[..self.numbers.len()];
        x.extend(numbers.iter().map(|u| u * u));
        for (k, &a) in self.crossed.iter().enumerate() {
            x.extend(self.crossed[..k].iter().map(|&b| numbers[a] * numbers[b]));
        }
        if self.sizes > 1 {
            for weight in mix {
                x.extend(first.iter().map(|u| weight * u));
            }
        }
    }
}
