fn main() {
    kernel_build::compile("lesson07");
}
