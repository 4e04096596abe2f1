// Products of matrices by a warp: with wmma in f16 and s8, and with ldmatrix and mma.sync. Small integers, so every sum is exact.
// prints: f16 24671 1543, s8 -6318 -27, mma 12115 754, all right
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void halves(const half* a, const half* b, float* c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 1.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

__global__ void bytes(const signed char* a, const signed char* b, int* c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}

// c (16 x 8) = a (16 x 16) * b (16 x 8), b by columns.
__global__ void pieces(const half* a, const half* b, float* c)
{
    __shared__ __align__(16) half left[16 * 16], right[8 * 16];
    for (int i = threadIdx.x; i < 256; i += 32) left[i] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32) right[i] = b[i];
    __syncwarp();
    unsigned lane = threadIdx.x, x[4], y[2];
    unsigned from = __cvta_generic_to_shared(left + lane % 16 * 16 + lane / 16 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(from));
    from = __cvta_generic_to_shared(right + lane % 8 * 16 + lane / 8 % 2 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(from));
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    int row = lane / 4, column = lane % 4 * 2;
    c[row * 8 + column] = d[0];
    c[row * 8 + column + 1] = d[1];
    c[(row + 8) * 8 + column] = d[2];
    c[(row + 8) * 8 + column + 1] = d[3];
}

static int left_at(int row, int k) { return (row * 5 + k * 3) % 7; }
static int right_at(int k, int column) { return (k * 2 + column) % 5; }

int main()
{
    half *a, *b;
    signed char *p, *q;
    float *c, *e;
    int* d;
    cudaMallocManaged(&a, 256 * sizeof *a);
    cudaMallocManaged(&b, 256 * sizeof *b);
    cudaMallocManaged(&p, 256);
    cudaMallocManaged(&q, 256);
    cudaMallocManaged(&c, 256 * sizeof *c);
    cudaMallocManaged(&d, 256 * sizeof *d);
    cudaMallocManaged(&e, 128 * sizeof *e);
    for (int row = 0; row < 16; row++)
        for (int k = 0; k < 16; k++) {
            a[row * 16 + k] = __int2half_rn(left_at(row, k));
            b[row * 16 + k] = __int2half_rn(right_at(k, row));
            p[row * 16 + k] = left_at(row, k) - 3;
            q[k * 16 + row] = right_at(k, row) * 9;
        }
    halves<<<1, 32>>>(a, b, c);
    bytes<<<1, 32>>>(p, q, d);
    pieces<<<1, 32>>>(a, b, e);
    cudaError_t error = cudaDeviceSynchronize();
    long wrong = 0, sums[6] = {};
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) {
            long want = 0, shifted = 0;
            for (int k = 0; k < 16; k++) want += left_at(row, k) * right_at(k, column);
            for (int k = 0; k < 16; k++) shifted += (left_at(row, k) - 3) * right_at(k, column) * 9;
            float half_sum = c[row * 16 + column];
            int byte_sum = d[column * 16 + row];
            wrong += (half_sum != want + 1) + (byte_sum != shifted);
            sums[0] += half_sum;
            sums[1] += row == column ? half_sum : 0;
            sums[2] += byte_sum * (row + 1);
            sums[3] += row == column ? byte_sum : 0;
            if (column < 8) {
                wrong += e[row * 8 + column] != want;
                sums[4] += e[row * 8 + column];
                sums[5] += row == column ? e[row * 8 + column] : 0;
            }
        }
    printf("f16 %ld %ld, s8 %ld %ld, mma %ld %ld, ", sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
    printf("%s\n", wrong ? "WRONG" : error ? cudaGetErrorString(error) : "all right");
}
