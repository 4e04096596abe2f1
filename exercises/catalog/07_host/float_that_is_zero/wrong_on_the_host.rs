// wrong: idle
// Multiplied on the host, where types are checked.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let scale = module.get_function("scale")?;
    let v = vec![2.0f32; n].as_slice().as_dbuf()?;
    let blocks = (n as u32).div_ceil(64);
    let factor = 1.5f32;
    let v: Vec<f32> = v.as_host_vec()?.iter().map(|x| x * factor).collect();
    let _ = (&scale, blocks);
    stream.synchronize()?;
    println!("sum {}", v.iter().sum::<f32>());
    Ok(())
}
