### Lo que no es un error por sí mismo, y conviene saber cuando el resultado es incorrecto.

active-mask = { $inside ->
    [true] esta línea toma los lanes que en ese momento se ejecutan juntos: llama por dentro a `__activemask()`
   *[false] `__activemask()` devuelve los lanes que en ese momento se ejecutan juntos
}
    .why = Los lanes de un warp no tienen que seguir juntos, así que la máscara puede nombrar menos lanes de los que participan.{ $differ ->
        [true] {" "}Entre dos llamadas los lanes pueden separarse, y entonces las dos máscaras son distintas.
       *[false] {""}
    }
    .fix = { $differ ->
        [true] usa la máscara de (1) en las dos líneas. Lo mejor es calcularla con `__ballot_sync()` antes de que los lanes tomen caminos distintos
       *[false] { $inside ->
            [true] no hay que cambiar nada si sirve cualquier grupo de lanes. Si deben participar ciertos lanes, crea el grupo antes de la rama, con `cg::tiled_partition<32>()`
           *[false] calcula la máscara con `__ballot_sync()` antes de la rama, o haz que participen todos los lanes con un valor neutro
        }
    }
shuffle-beyond = un shuffle que lee más allá del final del warp o del grupo devuelve el valor del propio lane
    .why = `{ $function }` lee otro lane solo si existe. Estos lanes recibieron sus propios valores.
    .fix = usa el resultado solo en los lanes { $direction ->
        [up] a partir de `offset`
        [down] en los que lane + offset es menor que 32, o que `width`
       *[none] cuyo otro lane existe
    }. Si todos los lanes necesitan el resultado completo, usa `__shfl_xor_sync()`
swap-failed-unseen = un compare-and-swap falló, y el kernel no lo comprobó
    .why = `atomicCAS()` escribe solo si la memoria aún contiene el valor esperado. Aquí no escribió nada, y nada usa el valor que devolvió.
    .fix = compara lo que devuelve con lo que esperaba, e inténtalo otra vez en un bucle. O usa una sola operación atómica, como `atomicAdd()`
