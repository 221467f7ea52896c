//! The arithmetic of the fit: a linear evaluation as a forecast of results, and the weights that foretell best.

use nalgebra::{DMatrix, DVector};

/// Least mean square of a feature that the ridge counts with.
const LEAST_SIZE: f64 = 0.2;

/// A position: how often player 1 and player 2 have each feature, the latter negative, a last feature that is always 1, and
/// the game's result.
pub struct Sample {
    pub features: DVector<f64>,
    /// 0 to 1 for player 1 in tafl, his margin in points in Thud.
    pub result: f64,
    pub held_out: bool,
}

/// How an evaluation foretells a result.
#[derive(Clone, Copy)]
pub struct Model {
    /// Centipoints of evaluation that count as one: of the margin, or of the logarithm of the odds.
    pub unit: f64,
    pub scored: bool,
}

impl Model {
    fn forecast(&self, sample: &Sample, weights: &DVector<f64>) -> f64 {
        let value = sample.features.dot(weights) / self.unit;
        if self.scored {
            value
        } else {
            1.0 / (1.0 + (-value).exp())
        }
    }

    /// Mean square error of the margin, or mean logarithmic loss.
    pub fn loss(&self, samples: &[Sample], weights: &DVector<f64>) -> f64 {
        let total: f64 = samples
            .iter()
            .map(|sample| {
                let forecast = self.forecast(sample, weights);
                if self.scored {
                    (sample.result - forecast).powi(2)
                } else {
                    let forecast = forecast.clamp(1e-9, 1.0 - 1e-9);
                    -sample.result * forecast.ln() - (1.0 - sample.result) * (1.0 - forecast).ln()
                }
            })
            .sum();
        total / samples.len().max(1) as f64
    }

    /// Newton's method (iteratively reweighted least squares) with a ridge around `start`.
    pub fn fit(
        &self,
        samples: &[Sample],
        start: &DVector<f64>,
        ridge: f64,
    ) -> Result<DVector<f64>, String> {
        let size = start.len();
        // A ridge that weighs every feature alike, in units of the feature's own size; rare ones hold fast, since little
        // is known of them.
        let mut scale = DVector::zeros(size);
        for sample in samples {
            scale += sample.features.component_mul(&sample.features);
        }
        scale /= samples.len().max(1) as f64;
        scale.apply(|size| *size = ridge * size.max(LEAST_SIZE));
        // The constant is free, and a feature that never occurred stays as it is.
        scale.add_scalar_mut(1e-6);
        scale[size - 1] = 1e-6;
        let mut weights = start / self.unit;
        let rest = weights.clone();
        for _ in 0..if self.scored { 1 } else { 8 } {
            let mut hessian = DMatrix::from_diagonal(&scale);
            let mut gradient = hessian.clone() * (&rest - &weights);
            for sample in samples {
                let forecast = self.forecast(sample, &(&weights * self.unit));
                let slope = if self.scored {
                    1.0
                } else {
                    forecast * (1.0 - forecast)
                };
                hessian.ger(slope, &sample.features, &sample.features, 1.0);
                gradient.axpy(sample.result - forecast, &sample.features, 1.0);
            }
            let step = hessian
                .cholesky()
                .ok_or("the features are not independent")?;
            weights += step.solve(&gradient);
        }
        Ok(weights * self.unit)
    }
}

/// The unit and the constant with which the present weights foretell best.
pub fn calibrate(samples: &[Sample], weights: &DVector<f64>) -> Result<(Model, f64), String> {
    let values: Vec<Sample> = samples
        .iter()
        .map(|sample| Sample {
            features: DVector::from_vec(vec![sample.features.dot(weights) / 100.0, 1.0]),
            ..*sample
        })
        .collect();
    let model = Model {
        unit: 1.0,
        scored: false,
    };
    let line = model.fit(&values, &DVector::zeros(2), 0.0)?;
    let unit = 100.0 / line[0].max(0.05);
    Ok((Model { unit, ..model }, line[1] * unit))
}
