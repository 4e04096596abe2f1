fn main() {
    kernel_build::compile("lesson05");
}
