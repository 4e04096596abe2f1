//! Answers that no exercise may take, made from its own files. In one the kernels do nothing. In another a single
//! thread does everything as the reference does, in the first launch that has what it takes, while the others do
//! nothing.

use crate::catalog::Exercise;
use crate::spec::{Amount, ExerciseKind, LaunchSpec, Reference};
use std::fs;

/// Names and texts. None where nothing is programmed for the device.
pub fn all(exercise: &Exercise) -> Result<Vec<(String, String)>, String> {
    let spec = &exercise.spec;
    if spec.kind.is_puzzle() || spec.kind == ExerciseKind::Host || spec.launches.is_empty() {
        return Ok(Vec::new());
    }
    let read = |path: std::path::PathBuf| {
        fs::read_to_string(&path)
            .map_err(|error| say!("cannot-read", path = path.display().to_string()) + ": " + &tell::of_system(&error))
    };
    // A kernel that the student is to add stands in the solution only.
    let texts = [read(exercise.shipped())?, read(exercise.solution())?];
    let mut kernels: Vec<Kernel> = Vec::new();
    for launch in &spec.launches {
        if kernels.iter().any(|known| known.launch.kernel == launch.kernel) {
            continue;
        }
        let found = texts.iter().find_map(|text| parameters(text, &launch.kernel));
        let parameters = found.ok_or_else(|| say!("cheat-no-kernel", kernel = &launch.kernel))?;
        kernels.push(Kernel { launch, parameters });
    }
    let empty: String = kernels.iter().map(|kernel| kernel.with("")).collect();
    let includes = |text: &str| {
        text.lines()
            .filter(|line| line.trim_start().starts_with("#include"))
            .fold(String::new(), |all, line| all + line + "\n")
    };
    let mut cheats = vec![(say!("cheat-nothing"), includes(&texts[1]) + &empty)];
    let named = spec.reference.as_ref().and_then(|reference| Some((reference, reference.kernel.as_deref()?)));
    let Some((reference, name)) = named else { return Ok(cheats) };
    let check = read(exercise.check_file())?;
    let wanted = parameters(&check, name).ok_or_else(|| say!("check-has-no", name))?;
    let call = |kernel: &Kernel| kernel.call(name, reference, &wanted, &spec.launches[0]);
    let Some((at, call)) = kernels.iter().enumerate().find_map(|(at, kernel)| Some((at, call(kernel)?))) else {
        return Ok(cheats);
    };
    let own = check.replace("extern \"C\" __global__", "static __device__");
    let mut text = format!("{}{own}\nstatic __device__ int ran;\n", includes(&texts[1]));
    for (number, kernel) in kernels.iter().enumerate() {
        text += &kernel.with(if number == at { &call } else { "" });
    }
    cheats.push((say!("cheat-one-thread"), text.clone()));
    // The result of one thread, written once more by each of the others.
    let kernel = &kernels[at];
    let own = names(&kernel.parameters);
    let checked = spec.buffers.iter().filter(|buffer| buffer.check.is_some());
    let stores: String = checked
        .filter_map(|buffer| {
            let is_it = |amount: &Amount| same(amount, &Amount::Expression(buffer.name.clone()));
            let name = own.get(kernel.launch.args.iter().position(is_it)?)?;
            let ty = match buffer.ty.bytes() {
                1 => "unsigned char",
                2 => "unsigned short",
                4 => "unsigned",
                _ => "unsigned long long",
            };
            Some(format!("volatile {ty}* of_{name} = ({ty}*){name}; of_{name}[t] = of_{name}[t]; "))
        })
        .collect();
    let place = "const int t = blockIdx.x * blockDim.x + threadIdx.x;";
    let stored = text.replacen(&call, &format!("{call} __syncthreads(); {place} {stores}"), 1);
    cheats.push((say!("cheat-stored-back"), stored));
    Ok(cheats)
}

/// A kernel that is launched, with its parameters as they are written.
struct Kernel<'a> {
    launch: &'a LaunchSpec,
    parameters: String,
}

impl Kernel<'_> {
    /// Pointers lead anywhere: what they point to may be a type of the student's file.
    fn with(&self, body: &str) -> String {
        let all = parts(&self.parameters);
        let one = |(ty, name): (&str, &str)| format!("{} {name}", if ty.contains('*') { "void*" } else { ty });
        let parameters = all.map(one).collect::<Vec<_>>().join(", ");
        format!("extern \"C\" __global__ void {}({parameters}) {{ {body} }}\n", self.launch.kernel)
    }

    /// One thread calls the reference, once; `None` where this kernel has not all that it takes.
    fn call(&self, name: &str, reference: &Reference, wanted: &str, first: &LaunchSpec) -> Option<String> {
        let own = names(&self.parameters);
        let given = reference.args.as_ref().unwrap_or(&first.args);
        let place = |amount: &Amount| self.launch.args.iter().position(|own| same(own, amount));
        let arguments: Vec<String> = given
            .iter()
            .zip(types(wanted))
            .map(|(amount, ty)| Some(format!("({ty}){}", own.get(place(amount)?)?)))
            .collect::<Option<_>>()?;
        let one = "blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z == 0";
        // A kernel may be launched several times.
        Some(format!("if ({one} && !ran) {{ ran = 1; {name}({}); }}", arguments.join(", ")))
    }
}

fn same(one: &Amount, other: &Amount) -> bool {
    match (one, other) {
        (Amount::Whole(one), Amount::Whole(other)) => one == other,
        (Amount::Real(one), Amount::Real(other)) => one == other,
        (Amount::Expression(one), Amount::Expression(other)) => {
            // `n:i64` is n.
            let bare = |text: &str| text.split(':').next().unwrap_or(text).split_whitespace().collect::<String>();
            bare(one) == bare(other)
        }
        _ => false,
    }
}

/// Returns the text between the parentheses behind the kernel's name where it is defined.
pub fn parameters(text: &str, kernel: &str) -> Option<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("").to_string() + "\n").collect();
    code.match_indices(kernel).find_map(|(at, _)| {
        let before = &code[..at];
        let declaration = before.rsplit([';', '{', '}']).next()?;
        let is_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let behind = code[at + kernel.len()..].trim_start().strip_prefix('(')?;
        let end = behind.find(')')?;
        let found = behind[..end].split_whitespace().collect::<Vec<_>>().join(" ");
        (is_name && declaration.contains("__global__")).then_some(found)
    })
}

/// `const int* in, int n` has `in` and `n`.
pub fn names(parameters: &str) -> Vec<&str> {
    parts(parameters).map(|(_, name)| name).collect()
}

/// `const int* in, int n` has `const int*` and `int`.
fn types(parameters: &str) -> Vec<&str> {
    parts(parameters).map(|(ty, _)| ty).collect()
}

fn parts(parameters: &str) -> impl Iterator<Item = (&str, &str)> {
    let all = parameters.split(',').map(str::trim).filter(|one| !one.is_empty());
    all.map(|one| {
        let begin = one.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        (one[..begin].trim_end(), &one[begin..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use std::path::Path;

    #[test]
    fn parameters_are_found_and_named() {
        let text =
            "// expected(x)\nextern \"C\" __global__ void expected(const float *in,\n    int* out, int n) {\n}\n";
        let found = parameters(text, "expected").unwrap();
        assert_eq!(found, "const float *in, int* out, int n");
        assert_eq!(names(&found), ["in", "out", "n"]);
        assert_eq!(types(&found), ["const float *", "int*", "int"]);
        assert_eq!(names(""), [""; 0]);
        assert_eq!(parameters(text, "other"), None);
        let bounded =
            "__device__ int twice(int);\nextern \"C\" __global__ void __launch_bounds__(64) go(int* v) { twice(1); }";
        assert_eq!(parameters(bounded, "go").as_deref(), Some("int* v"));
        assert_eq!(parameters(bounded, "twice"), None);
    }

    /// Two launches, the second with what the reference takes.
    #[test]
    fn of_several_launches_one_does_all_and_the_others_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("01_a/two");
        fs::create_dir_all(&folder).unwrap();
        fs::write(place.path().join("01_a/topic.toml"), "title = 'a'\nlesson = 'l'\norder = ['two']\n").unwrap();
        let launch =
            |kernel: &str, args: &str| format!("[[launch]]\nkernel = '{kernel}'\ngrid = 1\nblock = 1\nargs = {args}\n");
        let spec = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = 'i'\nhints = []\n".to_string()
            + &launch("clear", "['out']")
            + &launch("add", "['in', 'n:i64', 'out']")
            + "[reference]\nkernel = 'expected'\nargs = ['in', 'out', 'n']\n";
        fs::write(folder.join("exercise.toml"), spec).unwrap();
        fs::write(folder.join("two.cu"), "extern \"C\" __global__ void clear(int* o) {}\n").unwrap();
        let solution =
            "#include <cuda/atomic>\nextern \"C\" __global__ void add(const int* v, long long n, int* o) {}\n";
        fs::write(folder.join("solution.cu"), solution).unwrap();
        let check = "extern \"C\" __global__ void expected(const int* in, int* out, int n) {}\n";
        fs::write(folder.join("check.cu"), check).unwrap();
        let catalog = Catalog::read(Path::new(place.path())).unwrap();
        let cheats = all(&catalog.exercises[0]).unwrap();
        let empty = "#include <cuda/atomic>\nextern \"C\" __global__ void clear(void* o) {  }\n\
                     extern \"C\" __global__ void add(void* v, long long n, void* o) {  }\n";
        assert_eq!(cheats[0], ("(kernels that do nothing)".to_string(), empty.to_string()));
        assert!(cheats[1].1.contains("static __device__ void expected(const int* in, int* out, int n) {}"));
        assert!(
            cheats[1].1.contains("void clear(void* o) {  }")
                && cheats[1].1.contains("expected((const int*)v, (int*)o, (int)n);")
        );
    }
}
