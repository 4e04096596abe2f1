// columns_first: x runs fastest
//
// The kernel makes the negative of a grey image in place: 255 - value. The image is stored row by
// row: pixel (row, column) is element row * width + column. The grid covers it with blocks of 16 x
// 16 threads, blockIdx.x along a row and blockIdx.y down the image. width is always a multiple of
// 16; height need not be.
//
// The answer is right. But threads 0, 1, 2 ... of a warp go down a column, so nearly every lane
// needs its own sector of 32 bytes. The budget allows one visit to each sector.
//
// Range    width is 16, 32, 48 or 64; height is from 1 to 40; image has values from 0 to 255.
// Do       Let the lanes of a warp go along a row.
// Read     lesson01-vectorized/README.md, "What a load costs"

extern "C" __global__ void invert(int* image, int width, int height) {
    // TODO: which of threadIdx.x and threadIdx.y counts fastest within a warp?
    const int column = blockIdx.x * 16 + threadIdx.y;
    const int row = blockIdx.y * 16 + threadIdx.x;
    if (row < height && column < width) {
        image[row * width + column] = 255 - image[row * width + column];
    }
}
