fn main() {
    kernel_build::compile("lesson03");
}
