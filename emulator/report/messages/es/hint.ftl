### Lo que no es un error por sí mismo, y conviene saber cuando el resultado es incorrecto.

active-mask = `__activemask()` devuelve los lanes que en ese momento se ejecutan juntos
    .why = Los lanes de un warp no tienen que seguir juntos, así que la máscara puede nombrar menos lanes de los que participan.{ $differ ->
        [true] {" "}Entre dos llamadas los lanes pueden separarse, y entonces las dos máscaras son distintas.
       *[false] {""}
    }
    .fix = { $differ ->
        [true] usa una sola máscara en las dos líneas, calculada antes de la rama: mejor con `__ballot_sync()`
       *[false] calcula la máscara con `__ballot_sync()` antes de la rama, o haz que participen todos los lanes con un valor neutro
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
