//! Each figure, from the records of its jobs.

use super::job::{Job, Value};
use super::record::{Record, Report};
use crate::stored::Say;
use figure::{Axis, Figure, Panel, Scale, Series};

/// With the names of their files.
pub fn figures(report: &Report, say: Say) -> Vec<(&'static str, Figure)> {
    let draw = Draw { report, say };
    vec![
        ("copy", draw.copy()),
        ("sum", draw.sum()),
        ("histogram", draw.histogram()),
        ("filter", draw.filter()),
        ("mandelbrot", draw.mandelbrot()),
    ]
}

struct Draw<'a> {
    report: &'a Report,
    say: Say,
}

impl Draw<'_> {
    fn say(&self, english: &'static str, spanish: &'static str) -> &'static str {
        (self.say)(english, spanish)
    }

    fn copy(&self) -> Figure {
        let x = Axis::new(self.say("size of the copy", "tamaño de la copia"), Scale::Binary).with_unit("B");
        let places = self.say("from {first} to {last}", "de {first} a {last}");
        let job = Job::of(self.report, "copy");
        let panel = self.rates(&job, x, self.moved(), places, |record| Some(4.0 * record.n as f64));
        self.one(self.say("Copies within the device", "Copias dentro del dispositivo"), panel, String::new())
    }

    fn sum(&self) -> Figure {
        let panel = |name: &str| {
            let x = Axis::new(self.say("number of ints", "número de ints"), Scale::Binary);
            let places = self.say("from {first} to {last} ints", "de {first} a {last} ints");
            self.rates(&Job::of(self.report, name), x, self.read(), places, |record| Some(record.n as f64))
        };
        let title = self.say("Sum and maximum: every int is read once", "Suma y máximo: cada int se lee una vez");
        let mut panels = ["sum", "max"].map(panel).to_vec();
        panels.retain(|panel| !panel.series.is_empty());
        Figure { title: title.to_string(), note: self.note(String::new()), panels }
    }

    fn filter(&self) -> Figure {
        let job = Job::of(self.report, "filter").largest();
        let x = Axis::new(self.say("elements kept", "elementos conservados"), Scale::Linear).with_unit("%");
        let places = self.say("with {first} to {last} kept", "con {first} a {last} conservados");
        let panel = self.rates(&job, x, self.moved(), places, share);
        self.one(self.say("Filters", "Filtros"), panel, whole(job.n()) + " ints.")
    }

    fn histogram(&self) -> Figure {
        let job = Job::of(self.report, "histogram").largest();
        let inputs = job.inputs();
        let words = inputs.iter().map(|input| self.input(input)).collect();
        let at = |record: &Record| Some(inputs.iter().position(|input| *input == record.input)? as f64);
        let title = self.finding(&job, self.say("on every input", "con cada entrada").to_string());
        let panel = self.with_limit(Panel::bars(&title, words, self.read(), job.series(at, rate)));
        self.one(self.say("Histograms", "Histogramas"), panel, whole(job.n()) + " bytes.")
    }

    /// Beside the method that the others are compared with: times say little where one image takes 300 times another's.
    fn mandelbrot(&self) -> Figure {
        let job = Job::of(self.report, "mandelbrot");
        let x = Axis::new(self.say("pixels along each side", "píxeles por lado"), Scale::Binary);
        let peer = job.peers().first().copied().unwrap_or_default();
        let y = self.say("times as fast as {peer}", "veces tan rápido como {peer}").replace("{peer}", peer);
        let side = |record: &Record| Some((record.n as f64).sqrt());
        let series = job.series(side, |record| Some((record.ratio?, record.ratio_low?, record.ratio_high?)));
        let series: Vec<Series> = series.into_iter().filter(|series| !series.is_peer).collect();
        let places = self.say("from {first}² to {last}² pixels", "de {first}² a {last}² píxeles");
        let title = self.finding(&job, between(places, &x, &series));
        let panel = Panel::over(&title, x, Axis::new(&y, Scale::Linear), series).with_level(peer, 1.0);
        self.one(self.say("The Mandelbrot set", "El conjunto de Mandelbrot"), panel, String::new())
    }

    /// Bandwidth along an axis, every method, with the limit.
    fn rates(&self, job: &Job, x: Axis, y: &str, places: &str, at: impl Fn(&Record) -> Option<f64>) -> Panel {
        let series = job.series(at, rate);
        let title = self.finding(job, between(places, &x, &series));
        let panel = Panel::over(&title, x, Axis::new(y, Scale::Linear), series);
        if panel.series.is_empty() { panel } else { self.with_limit(panel) }
    }

    /// A figure of one panel says with its title what the panel's would.
    fn one(&self, title: &str, panel: Panel, more: String) -> Figure {
        let title = if panel.title.is_empty() { title.to_string() } else { panel.title.clone() };
        Figure { title, note: self.note(more), panels: vec![Panel { title: String::new(), ..panel }] }
    }

    fn with_limit(&self, panel: Panel) -> Panel {
        let limit = self.report.machine.copy_gb_per_s;
        let name = self.say("copy limit, {} GB/s", "límite de copia, {} GB/s");
        panel.with_level(&name.replace("{}", &format!("{limit:.0}")), limit)
    }

    /// Returns the sentence that the numbers say; nothing where there is nothing to compare with.
    fn finding(&self, job: &Job, places: String) -> String {
        let Some(best) = job.best() else { return String::new() };
        // Rounded down, but for what a float lacks: 0.999 is not 1.00.
        let told = |ratio: f64| format!("{:.2}", (100.0 * ratio + 1e-6).floor() / 100.0);
        let [least, most] = [best.least, best.most].map(told);
        let times = if least == most { least } else { format!("{least} {} {most}", self.say("to", "a")) };
        let text = self.say(
            "{method} is {times} times as fast as {peer}, {places}",
            "{method} es {times} veces tan rápido como {peer}, {places}",
        );
        let values = [("{method}", best.method), ("{times}", &times), ("{peer}", best.peer), ("{places}", &places)];
        values.into_iter().fold(text.to_string(), |text, (name, value)| text.replace(name, value))
    }

    fn note(&self, more: String) -> String {
        let machine = &self.report.machine;
        let mut note = format!(
            "{} ({} {})",
            machine.gpu,
            self.say("compute capability", "capacidad de cómputo"),
            machine.compute_capability
        );
        note += &format!(", driver {}, CUDA {}", machine.driver, machine.cuda);
        if let Some(cub) = &machine.cub {
            note += &format!(", CUB {cub}");
        }
        note += &match machine.processes {
            1 => self.say(". Medians of one process", ". Medianas de un proceso").to_string(),
            count => {
                self.say(". Medians of {} processes", ". Medianas de {} procesos").replace("{}", &count.to_string())
            }
        };
        note += self.say("; strokes show 95 % intervals.", "; los trazos muestran intervalos del 95 %.");
        if !more.is_empty() {
            note = note + " " + &more;
        }
        if !machine.notes.is_empty() {
            note += self.say(" More in its notes, in h200.json.", " Más en sus notas, en h200.json.");
        }
        note
    }

    fn moved(&self) -> &'static str {
        self.say("GB/s, read and written", "GB/s, leídos y escritos")
    }

    fn read(&self) -> &'static str {
        self.say("GB/s, read", "GB/s, leídos")
    }

    /// The words of a record's input.
    fn input(&self, input: &str) -> String {
        let spanish = match input {
            "uniform" => "uniforme",
            "90 % one value" => "90 % un solo valor",
            "all equal" => "todos iguales",
            other => return other.to_string(),
        };
        // The English words are the record's own.
        if self.say("en", "es") == "en" { input.to_string() } else { spanish.to_string() }
    }
}

/// The ends of an axis, put into a text.
fn between(places: &str, x: &Axis, series: &[Series]) -> String {
    let xs = || series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let [first, last] = [xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max)].map(|end| x.number(end));
    places.replace("{first}", &first).replace("{last}", &last)
}

fn rate(record: &Record) -> Option<Value> {
    let at = |ms: f64| record.bytes as f64 / (ms * 1e6);
    Some((record.gb_per_s?, at(record.ms_high), at(record.ms_low)))
}

/// Returns the share in an input: 50 for `50 % kept`.
fn share(record: &Record) -> Option<f64> {
    record.input.split_once('%')?.0.trim().parse().ok()
}

/// 10⁸, 2²⁸, 1000.
pub fn whole(n: u64) -> String {
    let is_decimal = n >= 10000 && 10u64.checked_pow(n.ilog10()) == Some(n);
    match n {
        _ if is_decimal => power(10, n.ilog10()),
        _ if n >= 1 << 16 && n.is_power_of_two() => power(2, n.ilog2()),
        _ => n.to_string(),
    }
}

fn power(base: u32, exponent: u32) -> String {
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit);
    format!("{base}{}", exponent.to_string().chars().map(raised).collect::<String>())
}
