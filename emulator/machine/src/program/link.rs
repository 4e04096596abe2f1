//! Names to definitions, across modules.

use crate::types::{LoadError, LoadErrorKind};
use ptx::ast::{self, Linkage, Operand, Space, VarId};
use std::cell::OnceCell;
use std::collections::HashMap;

/// A function of the program, with or without a body.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRef<'a> {
    pub module: usize,
    pub ast: &'a ast::Function,
}

/// A `.global` or `.const` variable and its first contents.
#[derive(Clone, Debug)]
pub struct GlobalVariable {
    pub name: String,
    pub bytes: u64,
    pub align: u32,
    pub constant: bool,
    pub managed: bool,
    /// Bytes of one element, for names in reports.
    pub element: u32,
    /// First contents: literal bytes, and addresses to be filled in at load.
    pub image: Vec<u8>,
    pub relocations: Vec<Relocation>,
}

/// `image[at..]` holds the address of something.
#[derive(Clone, Debug)]
pub struct Relocation {
    pub at: usize,
    pub bytes: u32,
    pub target: LinkTarget,
    pub offset: i64,
    /// Only these bits of the address, moved down to bit 0.
    pub mask: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkTarget {
    Function(usize),
    /// `.global` or `.const`, by index.
    Global(usize),
    /// Module-scope `.shared`, by index among all of them.
    Shared(usize),
}

/// All modules of a program with their names resolved.
#[derive(Debug)]
pub struct Linked<'a> {
    pub modules: &'a [ast::Module],
    pub functions: Vec<FunctionRef<'a>>,
    pub globals: Vec<GlobalVariable>,
    pub shared: Vec<&'a ast::Variable>,
    /// Names as each module sees them.
    names: Vec<HashMap<&'a str, LinkTarget>>,
    /// `.global`, `.const` variables declared inside a function.
    inner: HashMap<(usize, VarId), usize>,
    address_taken: OnceCell<Vec<usize>>,
}

impl<'a> Linked<'a> {
    pub fn new(modules: &'a [ast::Module]) -> Result<Linked<'a>, LoadError> {
        let mut linked = Linked {
            modules,
            functions: Vec::new(),
            globals: Vec::new(),
            shared: Vec::new(),
            names: vec![HashMap::new(); modules.len()],
            inner: HashMap::new(),
            address_taken: OnceCell::new(),
        };
        let mut visible: HashMap<&'a str, (LinkTarget, Linkage)> = HashMap::new();
        let mut wanted: Vec<(usize, &'a str, u32)> = Vec::new();
        let mut pending: Vec<(usize, usize, &'a ast::Variable)> = Vec::new();

        for (at, module) in modules.iter().enumerate() {
            for variable in &module.variables {
                let name = variable.name.as_str();
                let unsized_shared = variable.space == Space::Shared;
                if variable.linkage == Linkage::Extern && !unsized_shared {
                    wanted.push((at, name, variable.line));
                    continue;
                }
                let target = match variable.space {
                    Space::Shared => {
                        linked.shared.push(variable);
                        LinkTarget::Shared(linked.shared.len() - 1)
                    }
                    _ => {
                        let index = linked.add_global(variable)?;
                        pending.push((at, index, variable));
                        LinkTarget::Global(index)
                    }
                };
                linked.define(&mut visible, at, name, target, variable.linkage, variable.line)?;
            }
            for function in &module.functions {
                let index = linked.functions.len();
                linked.functions.push(FunctionRef { module: at, ast: function });
                let Some(body) = &function.body else {
                    wanted.push((at, function.name.as_str(), function.line));
                    continue;
                };
                let target = LinkTarget::Function(index);
                linked.define(&mut visible, at, &function.name, target, function.linkage, function.line)?;
                for (var, variable) in body.variables.iter().enumerate() {
                    if matches!(variable.space, Space::Global | Space::Const) {
                        let global = linked.add_global(variable)?;
                        pending.push((at, global, variable));
                        linked.inner.insert((index, VarId(var as u32)), global);
                    }
                }
            }
            for (alias, aliasee) in &module.aliases {
                if let Some(&target) = linked.names[at].get(aliasee.as_str()) {
                    linked.define(&mut visible, at, alias, target, Linkage::Visible, 0)?;
                }
            }
        }

        for (module, name, line) in wanted {
            if linked.names[module].contains_key(name) {
                continue;
            }
            match visible.get(name) {
                Some(&(target, _)) => {
                    linked.names[module].insert(name, target);
                }
                // Functions of the device runtime have no body anywhere; a call decides.
                None if is_variable(&modules[module], name) => {
                    return Err(unresolved(line, name));
                }
                None => {}
            }
        }
        for (module, global, variable) in pending {
            let (image, relocations) = linked.image(module, variable)?;
            linked.globals[global].image = image;
            linked.globals[global].relocations = relocations;
        }
        Ok(linked)
    }

    /// Returns the object or function that `name` stands for in `module`.
    pub fn resolve(&self, module: usize, name: &str) -> Option<LinkTarget> {
        self.names[module].get(name).copied()
    }

    /// Functions whose address some body or some variable's first contents have, kernels not among them.
    pub fn address_taken(&self) -> &[usize] {
        self.address_taken.get_or_init(|| {
            let mut found: Vec<usize> = Vec::new();
            for FunctionRef { module, ast } in &self.functions {
                let instructions = ast.body.iter().flat_map(|body| &body.instructions);
                // A call that names its function needs no address.
                for operand in instructions.filter(|one| one.opcode != "call").flat_map(|one| &one.operands) {
                    if let Operand::Symbol { name, .. } = operand
                        && let Some(LinkTarget::Function(index)) = self.resolve(*module, name)
                    {
                        found.push(index);
                    }
                }
            }
            let relocations = self.globals.iter().flat_map(|global| &global.relocations);
            found.extend(relocations.filter_map(|relocation| match relocation.target {
                LinkTarget::Function(index) => Some(index),
                _ => None,
            }));
            found.sort_unstable();
            found.dedup();
            found.retain(|&index| !self.functions[index].ast.is_kernel);
            found
        })
    }

    /// The global that stands for a variable declared inside function `function`.
    pub fn inner_global(&self, function: usize, var: VarId) -> Option<usize> {
        self.inner.get(&(function, var)).copied()
    }

    fn define(
        &mut self,
        visible: &mut HashMap<&'a str, (LinkTarget, Linkage)>,
        module: usize,
        name: &'a str,
        target: LinkTarget,
        linkage: Linkage,
        line: u32,
    ) -> Result<(), LoadError> {
        self.names[module].entry(name).or_insert(target);
        if linkage == Linkage::Internal {
            return Ok(());
        }
        let yields = |linkage| matches!(linkage, Linkage::Weak | Linkage::Common | Linkage::Extern);
        match visible.get(name) {
            Some(&(_, old)) if !yields(old) && !yields(linkage) => {
                let message = format!("`{name}` is defined in two modules");
                return Err(LoadError { line, message, kind: LoadErrorKind::Unresolved });
            }
            // The first definition stays unless it is a weak one and this is not.
            Some(&(_, old)) if !yields(old) || yields(linkage) => {
                let first = visible[name].0;
                self.names[module].insert(name, first);
            }
            _ => {
                visible.insert(name, (target, linkage));
            }
        }
        Ok(())
    }

    fn add_global(&mut self, variable: &ast::Variable) -> Result<usize, LoadError> {
        // No device has more memory than this; a larger size is a mistake in the text.
        const LARGEST: u64 = 1 << 40;
        let bytes = variable.bytes().filter(|&bytes| bytes <= LARGEST).ok_or_else(|| LoadError {
            line: variable.line,
            message: format!("variable `{}` is too large", variable.name),
            kind: LoadErrorKind::Syntax,
        })?;
        self.globals.push(GlobalVariable {
            name: variable.name.clone(),
            bytes,
            align: variable.align,
            constant: variable.space == Space::Const,
            managed: variable.managed,
            element: variable.ty.bytes(),
            image: Vec::new(),
            relocations: Vec::new(),
        });
        Ok(self.globals.len() - 1)
    }

    /// Initial bytes, up to the last initialised element.
    fn image(&self, module: usize, variable: &ast::Variable) -> Result<(Vec<u8>, Vec<Relocation>), LoadError> {
        let size = variable.ty.bytes() as usize;
        let mut image = Vec::with_capacity(variable.init.len() * size);
        let mut relocations = Vec::new();
        for init in &variable.init {
            let (symbol, offset, mask) = match init {
                ast::Init::Bits(bits) => {
                    image.extend_from_slice(&u128::from(*bits).to_le_bytes()[..size]);
                    continue;
                }
                ast::Init::Address { symbol, offset, .. } => (symbol, *offset, !0),
                ast::Init::Masked { mask, symbol, offset, .. } => (symbol, *offset, *mask),
            };
            let target = self.resolve(module, symbol).ok_or_else(|| unresolved(variable.line, symbol))?;
            relocations.push(Relocation { at: image.len(), bytes: size as u32, target, offset, mask });
            image.extend(std::iter::repeat_n(0, size));
        }
        Ok((image, relocations))
    }
}

fn is_variable(module: &ast::Module, name: &str) -> bool {
    module.variables.iter().any(|variable| variable.name == name)
}

pub fn unresolved(line: u32, name: &str) -> LoadError {
    LoadError { line, message: format!("`{name}` is used and nowhere defined"), kind: LoadErrorKind::Unresolved }
}
