### Dos accesos que nada ordena.

race = { $kind ->
    [open] cualquier orden es posible en { $place }: { $missing }
    [same] dos escrituras iguales sin orden en { $place }: { $missing }
   *[race] condición de carrera en { $place }: { $missing }
}
between-lines = entre las líneas { $first } y { $last }
before-line = antes de la línea { $line }
between-accesses = entre los dos accesos
elsewhere = { $why } Entre otros threads de estas líneas: { $narrow }.
at-distance = { $distance ->
    [warp] de un mismo warp
    [block] de distintos warps de un bloque
   *[grid] de distintos bloques
}
others = { $why } { $are ->
    [open] También lo hacen threads { $who }
   *[race] También hay una condición de carrera entre threads { $who }
}.
narrow-part = { $what ->
    [fence] el fence
    [atomic] la operación atómica
    [load] la lectura
    [arrival] la llegada
   *[store] la escritura
} de la línea { $line }
wider = `{ $wide }` en lugar de `{ $narrow }`
wider-add = `atomicAdd()` o `atomicSub()` en lugar de la función con `_block`
of-library-fix = las dos líneas son de una biblioteca: mira qué recibió la llamada, por ejemplo rangos que se solapan o un algoritmo sobre los mismos datos. Si eso está bien, la biblioteca confía en más orden del que CUDA garantiza

in-one-line = { $step ->
    [update] dos threads{ apart } lo actualizan, y nada los ordena
    [writes] dos threads{ apart } lo escriben, y nada los ordena
    [reads] { $distance ->
        [grid] un bloque lo lee, otro lo escribe, y nada los ordena
       *[block] un thread lo lee, otro lo escribe, y no hay barrera en medio
    }
   *[others] nada ordena { $both } en esta línea
}
apart = { $distance ->
    [grid] {" "}de distintos bloques
   *[block] {""}
}
one-step-fix = { $step ->
    [update] una operación atómica{ $shared ->
        [true] {""}
       *[false] , o un elemento por thread y un resultado combinado al final
    }
    [writes] haz que escriba un solo thread, o { $equal ->
        [true] escribe de forma atómica: `atomicExch(p, v)`
       *[false] usa un elemento por thread
    }
    [reads] { $widest ->
        [grid] { $in_loop ->
            [true] un lanzamiento por iteración, o un lanzamiento cooperativo con `grid.sync()` en cada iteración
           *[false] escribe los resultados en un array distinto del que se lee
        }
       *[block] { $in_loop ->
            [true] { one-barrier } después de esta línea en cada iteración, para todos los threads. Si un thread sobrescribe lo que otro aún lee en la misma iteración: también entre la lectura y la escritura
           *[false] lee en una variable, luego { one-barrier } para todos los threads, y luego escribe
        }
    }
    [copies] que el thread que copia espere a su copia, luego { one-barrier } y luego la lectura. Tras la lectura otro { one-barrier }, antes de que empiece la siguiente copia al mismo lugar; en un `cuda::pipeline`, `consumer_release()` tras la lectura
    [objects] deja que un solo thread del bloque lo inicialice, y luego `__syncthreads()` antes del primer uso. En un bloque de varias dimensiones, `threadIdx.x == 0` es más de un thread
   *[others] una sola operación atómica para todo lo que hace la línea
}
one-barrier = { $one_warp ->
    [true] `__syncwarp()`
   *[false] `__syncthreads()`
}

## Lanzamientos y grids

launches-unordered = ningún stream, evento ni arista de grafo ordena dos lanzamientos
    .why = Los lanzamientos de streams distintos pueden ejecutarse a la vez. Un mismo stream los ejecuta uno tras otro.
    .fix = lanza los dos en un mismo stream, haz que un stream espere un evento del otro, o une sus nodos con una arista del grafo
dependent-without-wait = este lanzamiento puede empezar antes de que termine el anterior, y nunca lo espera
    .why = Con la serialización programática del stream, un lanzamiento empieza en cuanto cada bloque del anterior ha dado la señal o ha terminado.{ $triggered ->
        [true] {" "}La señal (`cudaTriggerProgrammaticLaunchCompletion()`) no ordena nada: el siguiente puede no ver ni lo que se escribió antes de ella.
       *[false] {""}
    }
    .fix = llama a `cudaGridDependencySynchronize()` en el segundo kernel, antes de este acceso
dependent-before-wait = este acceso viene antes de la espera del lanzamiento anterior
    .why = Con la serialización programática del stream, un lanzamiento empieza antes de que termine el anterior. Solo `cudaGridDependencySynchronize()` ordena los dos, y solo para el thread que la llama.
    .fix = pon `cudaGridDependencySynchronize()` antes de este acceso. Si la llama otro thread: luego `__syncthreads()` antes de este acceso
dependent-on-waitless = `{ $first }`, lanzado entre los dos, no espera al primero
    .why = `cudaGridDependencySynchronize()` espera al lanzamiento anterior. Ese puede terminar antes que los que le preceden, porque nunca los espera.
    .fix = llama a `cudaGridDependencySynchronize()` también en `{ $first }`, o lánzalo sin la serialización programática del stream
parent-and-child-unordered = el padre lo { $parent ->
    [reads] lee
   *[writes] cambia
} sin esperar a `{ $child }`
    .why = El hijo puede ejecutarse en cualquier momento tras su lanzamiento. Ve lo que sabía entonces el thread que lo lanzó, y nada posterior.
    .fix = { $parent ->
        [reads] mueve esta lectura a otro kernel, lanzado con `<<<1, 1, 0, cudaStreamTailLaunch>>>`: ese empieza cuando el hijo ha terminado
       *[writes] escríbelo antes de lanzar. Si lo escriben otros threads del bloque: luego `__syncthreads()`, y luego el lanzamiento
    }
grids-unordered = ningún stream ordena los grids de `{ $first }` y `{ $second }`
    .why = Unos kernels lanzaron estos dos grids en streams distintos. Cada bloque tiene su propio stream NULL.
    .fix = lanza los dos en un mismo stream, o lanza el segundo con `<<<bloques, threads, 0, cudaStreamTailLaunch>>>`
host-unordered = no hay orden entre { $first } y { $operation }
    .why = { $how ->
        [touches] Un lanzamiento solo pone en marcha el trabajo. Hasta que el host lo espera, el kernel puede ejecutarse ahora o más tarde, o haber terminado.
        [copies] Una copia asíncrona solo pone en marcha el trabajo. Hasta que el host la espera, puede ejecutarse ahora o más tarde, o haber terminado.
        [pageable-before] `cudaMemcpy()` desde memoria paginable del host puede volver antes de que termine su transferencia al device. Un stream creado con `cudaStreamNonBlocking` no espera al stream por defecto, en el que está esta copia.
        [pageable-after] `cudaMemcpy()` se ejecuta en el stream por defecto. Ese no espera a un stream creado con `cudaStreamNonBlocking`.
       *[streams] Los dos están en streams que nada ordena, así que pueden ejecutarse a la vez.
    }
    .fix = { $how ->
        [touches] llama a `cudaDeviceSynchronize()`, o espera al stream, antes de que el host toque esta memoria
        [copies] llama a `cudaDeviceSynchronize()`, o espera al stream, antes de que el host toque esta memoria
        [pageable-before] llama a `cudaStreamSynchronize(0)` después de la copia, o copia con `cudaMemcpyAsync()` en el stream del kernel
        [pageable-after] espera al stream del kernel antes de la copia, o copia con `cudaMemcpyAsync()` en ese stream
       *[streams] usa un mismo stream para los dos, o haz que uno espere a un evento del otro
    }

## Alcance y copias

scope-too-narrow = { $count ->
    [0] la sincronización solo alcanza a un bloque
    [one] { $which } solo alcanza a su propio bloque
   *[other] { $which } solo alcanzan a su propio bloque
}
    .why = (1) y (2) están en bloques distintos. El alcance de bloque vale solo entre threads de un mismo bloque.
    .fix = { $count ->
        [0] { $is_arrival ->
            [true] alcance de cluster para la llegada
           *[false] alcance de device en los dos lados de la sincronización
        }
       *[other] usa ahí alcance de { $is_arrival ->
            [true] cluster
           *[false] device
        }
    }: { $has_wide ->
        [true] { $wide }
       *[false] la función sin `_block` en su nombre, `thread_scope_device` en los objetos de `cuda::`
    }
copies-unordered = dos copias asíncronas, sin espera entre ellas
    .why = Las copias asíncronas no tienen orden, ni siquiera las de un mismo thread. Esperar a la primera crea un orden.
    .fix = espera a la primera copia antes de empezar la segunda: `cg::wait()`, `pipe.consumer_wait()` o `__pipeline_wait_prior()`
copy-not-waited-for = el thread no ha esperado a su copia asíncrona
    .why = { $writes ->
        [true] Los bytes de la copia pueden llegar en cualquier momento hasta que su thread la haya esperado.
       *[false] La copia puede leer su origen en cualquier momento hasta que su thread la haya esperado.
    }
    .fix = espera a la copia { $between }: `cg::wait()`, `pipe.consumer_wait()` o `__pipeline_wait_prior()`
copy-not-handed-on = nadie espera la copia asíncrona (1) de otro thread
    .why = Una copia termina para el thread que la empezó cuando este la ha esperado. Los demás necesitan una barrera tras esa espera.
    .fix = haz que el thread de (1) espere a su copia, por ejemplo con `cg::wait()`, luego `__syncthreads()`, y luego (2)
bulk-copy-not-waited-for = { $by_object ->
    [true] ninguna espera antes de ({ $other }) ha encontrado completa la fase de la copia bulk ({ $copy })
   *[false] { $widest ->
        [grid] nada ordena la copia bulk ({ $copy }) antes de ({ $other })
       *[other] ({ $other }) no espera al grupo de la copia bulk ({ $copy })
    }
}
    .why = { $writes ->
        [true] Los bytes de una copia bulk pueden llegar en cualquier momento hasta que { $by_object ->
            [true] una espera en su barrera encuentre la fase completa. Esperar a una fase anterior no sirve. Tampoco a una fase que espera menos bytes de los que llegan.
           *[false] su thread haya esperado al grupo bulk de la copia. Esperar solo a las lecturas no basta.
        }
       *[false] Una copia bulk puede leer su origen en cualquier momento hasta que { $by_object ->
            [true] una espera en su barrera encuentre la fase completa.
           *[false] su thread haya esperado a las lecturas del grupo bulk de la copia.
        }
    }
    .fix = { $by_object ->
        [true] { $writes ->
            [true] haz que cada thread espere la fase de la copia antes de ({ $other }): `bar.wait()`, o repite `mbarrier_try_wait_parity()` hasta que sea true. Revisa también la paridad y `expect_tx`
           *[false] haz que un thread espere la fase de la copia antes de ({ $other }), por ejemplo con `bar.wait()`. Los demás threads: después una barrera. Si la barrera de la copia está en otro bloque, espera allí y después usa `cluster.sync()`
        }
       *[false] { $writes ->
            [true] cierra el grupo de (1) y espéralo antes de (2): `cp_async_bulk_commit_group()`, y luego `cp_async_bulk_wait_group(n32_t<0>())`{ after-bulk-wait }
           *[false] cierra el grupo de (1) y espéralo antes de (2): `cp_async_bulk_commit_group()`, y luego `cp_async_bulk_wait_group_read(n32_t<0>())`{ after-bulk-wait }
        }
    }
after-bulk-wait = { $widest ->
    [warp] . Los demás lanes del warp: después `__syncwarp()`
    [grid] . Ordena (2) con release y acquire
   *[other] . Los demás threads: después una barrera
}
proxy-fence-missing = no hay fence de proxy entre la escritura (1) y { $product ->
    [true] el `wgmma`
   *[false] la copia bulk
} (2)
    .why = { $product ->
        [true] Un `wgmma` accede
       *[false] Una copia bulk accede
    } a la memoria por el proxy asíncrono. Una barrera ordena (1) antes de (2), pero solo un fence de proxy hace visible (1) ahí.
    .fix = `fence.proxy.async` después de (1), antes de la barrera: `cuda::ptx::fence_proxy_async()`, en los threads que escriben

## Dos threads de un lanzamiento

order-left-open = { $one_access ->
    [true] { in-one-line }
   *[false] nada ordena { $both }
}
    .why = Los accesos atómicos y volatile no forman una condición de carrera, pero no esperan a ningún otro thread. Cualquiera de los dos puede ser el primero.
    .fix = { $both_update ->
        [true] una sola operación atómica que combine los dos valores, como `atomicAdd()` o `atomicMin()`
       *[false] { $one_access ->
            [true] { one-step-fix }
           *[false] { no-order-fix }
        }
    }
no-order-fix = { $widest ->
    [warp] { $in_branches ->
        [true] { $in_loop ->
            [true] un `__syncwarp()` en cada una de las dos ramas, entre (1) y (2), con los dos lanes en su máscara
           *[false] `__syncwarp()` entre las dos ramas: termina la primera antes y empieza la segunda después
        }
       *[false] `__syncwarp()` { $between }, donde lleguen los dos lanes{ overlap-if }
    }
    [block] { $in_branches ->
        [true] { $in_loop ->
            [true] una barrera en las dos ramas, entre (1) y (2), solo para estos threads: `cuda::barrier`, o `bar.sync` con su número. `__syncthreads()` espera a todo el bloque
           *[false] `__syncthreads()` entre las dos ramas: termina la primera antes y empieza la segunda después
        }
       *[false] `__syncthreads()` { $between }, donde lleguen todos los threads del bloque{ overlap-if }
    }
   *[grid] { $in_cluster ->
        [true] `cluster.sync()` { $between }, alcanzado por todos los threads del clúster
       *[false] { $cooperative ->
            [true] `grid.sync()` { $between }, alcanzado por todos los threads del grid. O divide el kernel en dos lanzamientos, uno tras otro
           *[false] divide el kernel en dos lanzamientos, uno tras otro. O usa un lanzamiento cooperativo, con `grid.sync()` entre los dos accesos
        }
    }
}
overlap-if = { $two_arrays ->
    [true] . Si son dos arrays, se solapan: mira dónde empieza cada uno
   *[false] {""}
}
atomic-read = { $wide ->
    [true] `atomicCAS(p, x, x)`
   *[false] `atomicAdd(p, 0)`
}
plain-flag = { $is_mixed ->
    [true] el flag es atómico o volatile solo en { $strong }
   *[false] el flag es una variable normal
}
    .why = { $waits ->
        [once] El compilador lee un flag normal una vez y guarda su valor, así que el bucle nunca ve el cambio.
       *[again] Un flag que otro thread espera debe ser atómico o volatile en los dos lados.
    }
    .fix = { $sets ->
        [nothing] { atomic-read } para leer el flag
        [other] `atomicExch(p, v)` para poner el flag a v y { atomic-read } para leerlo
       *[one] `atomicExch(p, 1)` para activar el flag y { atomic-read } para leerlo
    }. Añade un `__threadfence()` antes de activarlo y otro después de verlo
plain-beside-atomic = { $wants_atomic ->
    [true] nada ordena el acceso normal { $plain } y el acceso { $strong_kind ->
        [atomic] atómico
       *[other] atómico o volatile
    } { $strong }
   *[false] { no-order }
}
    .why = { $strong } es { $strong_kind ->
        [atomic] atómico
       *[other] atómico o volatile
    }, { $plain } es un acceso normal. Un acceso atómico o volatile no ordena nada para un acceso normal de otro thread.
    .fix = { $compares ->
        [true] haz atómico { $plain }: { atomic-read } es una lectura atómica de `*p`
       *[false] { $one_line ->
            [true] una sola operación atómica para todo lo que hace la línea
           *[false] { $plain_access ->
                [load] { no-order-fix }{ $in_cluster ->
                    [true] {""}
                   *[false] . Si cualquier orden da un resultado correcto, haz atómico { $plain }: { atomic-read } es una lectura atómica de `*p`
                }
                [store] { no-order-fix }{ $in_cluster ->
                    [true] {""}
                   *[false] . Si cualquier orden da un resultado correcto, haz atómico { $plain }: `atomicExch(p, v)` es una escritura atómica
                }
               *[update] haz atómico { $plain }: `atomicAdd(p, v)` en lugar de `*p += v`. Si uno debe ir antes: { no-order-fix }
            }
        }
    }
no-order = { $widest ->
    [warp] no hay `__syncwarp()` entre { $both }
    [block] no hay barrera entre { $both }
   *[grid] nada ordena { $both } en bloques distintos
}
lanes-unordered = { $one_access ->
    [true] { in-one-line }
   *[false] { $widest ->
        [warp] no hay `__syncwarp()` entre { $both }
        [block] no hay barrera entre { $both }
       *[grid] nada ordena { $both }
    }
}
    .why = Los dos threads son lanes de un mismo warp. Los lanes de un warp se ejecutan sin orden fijo hasta que se sincronizan.
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { $widest ->
            [warp] { $in_branches ->
                [true] { no-order-fix }
               *[false] `__syncwarp({ $has_branch ->
                    [true] { $lanes }
                   *[false] {""}
                })` { $between }, donde lleguen { $has_branch ->
                    [true] estos lanes: solo ellos toman la rama de la línea { $branch }
                   *[false] los dos lanes{ overlap-if }
                }
            }
           *[other] { no-order-fix }
        }
    }
no-barrier = { $one_access ->
    [true] { in-one-line }
   *[false] no hay barrera entre { $both }
}
    .why = Los dos threads están en un mismo bloque. Los threads de un bloque se ejecutan sin orden fijo hasta que llegan a una barrera.
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { no-order-fix }
    }
blocks-unordered = { $one_access ->
    [true] { in-one-line }
   *[false] nada ordena { $both } en bloques distintos
}
    .why = { $in_cluster ->
        [true] Los bloques de un clúster se ejecutan en cualquier orden. Solo la barrera del clúster, o un objeto barrera, ordena sus accesos a memoria compartida.
       *[false] Los bloques de un lanzamiento se ejecutan en cualquier orden. La barrera entre ellos es el final del kernel.
    }
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { $in_cluster ->
            [true] { $in_branches ->
                [true] haz que el bloque de (1) llegue a un objeto barrera del otro bloque después de ella, y espera esa fase antes de (2): `mapa`, `mbarrier.arrive.shared::cluster`
               *[false] { no-order-fix }
            }
           *[false] { $cooperative ->
                [true] { no-order-fix }
               *[false] divide el kernel en dos lanzamientos, uno tras otro. O usa un flag atómico, si todos los bloques se ejecutan a la vez: `__threadfence()` antes de activarlo y después de verlo
            }
        }
    }

## Lo que falta, donde se sabe

fence-after-look = no hay fence después de { $word ->
    [lock] tomar el lock
    [counter] leer el contador
    [variable] leer la variable atómica
   *[flag] ver el flag
}{ $look ->
    [0] {""}
   *[other] {" "}en la línea { $look }
}
    .why = { $look ->
        [0] Un thread vio que (1) estaba hecho, pero no hay ningún fence entre ese momento y (2).
       *[other] El thread vio en la línea { $look } que (1) estaba hecho, pero después no hay ningún fence{ $before_barrier ->
            [true] {" "}antes de la barrera
           *[false] {""}
        }.
    } Sin fence, { late }.
    .fix = { $look ->
        [0] `__threadfence()` después de la línea que { sees-word }
       *[other] `__threadfence()` después de la línea { $look }, en el thread que { sees-word }
    }
    .untold = { $word ->
        [lock] tomar el lock
        [counter] leer el contador
        [variable] leer la variable atómica
       *[flag] ver el flag
    }{ $look ->
        [0] {""}
       *[other] {" "}en la línea { $look }
    } no ordena los dos accesos
    .untold-why = { $look ->
        [0] Un thread vio que (1) estaba hecho.
       *[other] El thread vio en la línea { $look } que (1) estaba hecho.
    } Aun así, { late }.
late = { $accesses ->
    [read-write] la escritura posterior puede adelantarse a la lectura (1), que da entonces el valor nuevo
    [write-write] la escritura posterior puede adelantarse a (1), que reemplaza entonces su valor
   *[write-read] la lectura posterior aún puede dar el valor antiguo
}
sets-word = { $word ->
    [lock] libera el lock
    [counter] suma al contador
    [variable] cambia la variable
   *[flag] activa el flag
}
sees-word = { $word ->
    [lock] toma el lock
    [counter] lee el contador
    [variable] lee la variable
   *[flag] ve el flag
}
fence-before-flag = no hay fence antes de { $word ->
    [lock] liberar el lock
    [counter] sumar al contador
    [variable] cambiar la variable atómica
   *[flag] activar el flag
} en la línea { $set }
    .why = La línea { $set } { sets-word } después de (1). Sin un fence entre ellos, otro thread puede ver ese cambio { $accesses ->
        [read-write] y escribir antes de que (1) haya leído
       *[other] antes que (1)
    }.
    .fix = `__threadfence()` { flag-place }, en el thread que { sets-word }
    .untold = { $word ->
        [lock] liberar el lock
        [counter] sumar al contador
        [variable] cambiar la variable atómica
       *[flag] activar el flag
    } en la línea { $set } no ordena los dos accesos
    .untold-why = La línea { $set } { sets-word } después de (1). Otro thread puede ver ese cambio { $accesses ->
        [read-write] y escribir antes de que (1) haya leído
       *[other] antes que (1)
    }.
fences-at-flag = no hay fence antes de { $word ->
    [lock] liberar el lock
    [counter] sumar al contador
    [variable] cambiar la variable atómica
   *[flag] activar el flag
} (línea { $set }){ $look ->
    [0] {""}
   *[other] , ni después de { $look_is_set ->
        [true] esa línea
       *[false] { $word ->
            [lock] tomarlo
            [counter] leerlo
            [variable] leerla
           *[flag] verlo
        } (línea { $look })
    }
}
    .why = La línea { $set } { sets-word } después de (1). Sin fences, otro thread puede ver ese cambio { $accesses ->
        [read-write] y escribir antes de que (1) haya leído
        [write-write] y escribir antes que (1)
       *[write-read] y aun así leer el valor antiguo
    }.
    .fix = dos `__threadfence()`: uno { flag-place }, otro después de { $look ->
        [0] la línea que { sees-word }
       *[other] la línea { $look }, que { sees-word }
    }
    .untold = { $word ->
        [lock] el lock (liberado en la línea { $set }{ $look ->
            [0] {""}
           *[other] , tomado en la línea { $look }
        })
        [counter] el contador (sumado en la línea { $set }{ $look ->
            [0] {""}
           *[other] , leído en la línea { $look }
        })
        [variable] la variable atómica (cambiada en la línea { $set }{ $look ->
            [0] {""}
           *[other] , leída en la línea { $look }
        })
       *[flag] el flag (activado en la línea { $set }{ $look ->
            [0] {""}
           *[other] , visto en la línea { $look }
        })
    } no ordena los dos accesos
    .untold-why = La línea { $set } { sets-word } después de (1). Otro thread puede ver ese cambio { $accesses ->
        [read-write] y escribir antes de que (1) haya leído
        [write-write] y escribir antes que (1)
       *[write-read] y aun así leer el valor antiguo
    }.
flag-place = { $is_above ->
    [true] entre las líneas { $first } y { $set }
   *[false] antes de la línea { $set }
}
barrier-before-flag = no hay barrera antes del fence de la línea { $fence }
    .why = Otro thread del bloque activa el flag en la línea { $set }. Nada garantiza que (1) ocurra antes del fence de ese thread.
    .fix = `__syncthreads()` entre las líneas { $first } y { $fence }, donde lleguen todos los threads del bloque
barrier-after-look = no hay barrera después de ver el flag en la línea { $look }
    .why = Otro thread del { $one_warp ->
        [true] warp
       *[false] bloque
    } vio en la línea { $look } que (1) estaba hecho. Nada garantiza que (2) ocurra después.
    .fix = { $one_warp ->
        [true] `__syncwarp()` entre las líneas { $look } y { $second }, después del fence, donde lleguen los lanes que lo esperan
       *[false] `__syncthreads()` entre las líneas { $look } y { $second }, después del fence, donde lleguen todos los threads del bloque
    }
ended-before-barrier = un thread salió del kernel antes de la barrera de la línea { $barrier }
    .why = El thread de (1) salió en la línea { $end } y no llegó a la barrera. Una barrera no espera a los threads que han terminado.
    .fix = haz que todos los threads del bloque lleguen a la línea { $barrier }: sin return antes y sin rama que la evite
lane-not-in-mask = la máscara de la línea { $barrier } deja fuera al lane { $outside }
    .why = En ese `__syncwarp()` el lane { $inside } se encontró solo con los lanes de { $met }. El lane { $outside } no es uno de ellos.
    .fix = nombra en la máscara de la línea { $barrier } todos los lanes que intercambian datos. Haz la máscara antes de la rama, no con `__activemask()`
lane-ended-before-barrier = un lane salió del kernel antes del `__syncwarp()` de la línea { $barrier }
    .why = El lane de (1) salió en la línea { $end } y no llegó a la barrera del warp, que no lo espera.
    .fix = un `__syncwarp()` { $between } al que lleguen los dos lanes: sin return antes y sin rama que lo evite
only-shuffled = un `{ $function }` no es una barrera para la memoria
    .why = Los dos lanes llegan al `{ $function }` de la línea { $at }. Intercambia registros y no ordena ningún acceso a memoria.
    .fix = `__syncwarp()` { $between }, junto al `{ $function }`, donde lleguen los dos lanes
plain-unlock = el lock se libera con una escritura normal en la línea { $store }
    .why = El thread tomó el lock con una operación atómica en la línea { $taken }. Una escritura normal no ordena nada para el siguiente que lo toma.
    .fix = `__threadfence()` y después `atomicExch()` en la línea { $store }
different-locks = { $held ->
    [none] los dos threads no tienen un lock común
    [both] los dos threads tienen locks distintos
   *[first] solo uno de los dos threads tiene un lock
}
    .why = { $held ->
        [both] (1) tiene el lock en { $first } y (2) el lock en { $second }. Solo un lock común los mantiene separados.
        [first] (1) tiene el lock en { $first }. El thread de (2) no lo tiene.
        [second] (2) tiene el lock en { $second }. El thread de (1) no lo tenía.
       *[none] Nada impide que dos threads estén en estas líneas a la vez.
    }
    .fix = el mismo lock alrededor de los dos accesos, con un { $one_block ->
        [true] fence
       *[false] `__threadfence()`
    } después de tomarlo y otro antes de liberarlo
released-early = el lock se libera en la línea { $release }, antes de { $access }
    .why = Los dos threads toman este lock. El thread de { $access } lo liberó antes de ese acceso, así que el otro puede llegar a su propio acceso a la vez.
    .fix = liberar el lock después de la línea { $line }, con un `__threadfence()` antes de liberarlo
next-round-unordered = no hay barrera entre la línea { $below } y la línea { $above } de la siguiente { $turn ->
    [call] llamada
   *[iteration] iteración
}
    .why = { $barrier ->
        [0] Con la barrera que hay entre ellas
       *[other] Con la barrera de la línea { $barrier }
    }, la línea { $above } va antes que la línea { $below }. Pero la línea { $above } de la siguiente { $turn ->
        [call] llamada
       *[iteration] iteración
    } puede ir antes que la línea { $below }.
    .fix = un segundo { $widest ->
        [warp] `__syncwarp()`
        [grid] `grid.sync()`
       *[other] `__syncthreads()`
    } { $at_end ->
        [true] antes de la línea { $above }, en cada iteración
       *[false] después de la línea { $below }, antes de { $turn ->
            [call] la siguiente llamada de la función
           *[iteration] la siguiente iteración
        }
    }
same-phase = no hay una segunda barrera además de la de la línea { $barrier }
    .why = Los dos threads pasaron la barrera de la línea { $barrier }. Nada ordena lo que hacen entre una barrera y la siguiente.
    .fix = otro `__syncthreads()` después de la línea { $below }. Si una rama evita la barrera de la línea { $barrier }, haz que todos los threads lleguen a ella
wrong-means = { $means ->
    [fence] un fence en la línea { $at }, pero ninguna barrera, entre { $both }
    [warp-barrier] la barrera de la línea { $at } es de un warp, y los threads están en dos
   *[block-barrier] la barrera de la línea { $at } es de un bloque, y los threads están en dos
}
    .why = { $means ->
        [fence] El fence de la línea { $at } ordena los accesos de su propio thread. No espera a ningún otro.
        [warp-barrier] La barrera de la línea { $at } reúne los lanes de un warp. Estos threads están en dos warps.
       *[block-barrier] La barrera de la línea { $at } reúne los threads de un bloque. Estos threads están en dos bloques.
    }
    .fix = { no-order-fix }
same-place = dos threads lo escriben, porque calcularon el mismo índice
    .why = { $made ->
        [0] Los dos threads calcularon el mismo índice.
       *[other] Los dos threads calcularon el mismo índice, en la línea { $made }.
    }{ $atomic ->
        [0] {""}
       *[other] {" "}El índice depende de la operación atómica de la línea { $atomic }, que está en una rama.
    }
    .fix = { $atomic ->
        [0] un elemento por thread. Si los threads lo comparten a propósito, ordénalos, o combina sus valores con una operación como `atomicMax()`
       *[other] entrega el resultado de la línea { $atomic } a los otros { $distance ->
            [warp] lanes con un shuffle al que lleguen todos
           *[other] threads por memoria compartida, con un `__syncthreads()` antes de que lo lean
        }
    }
stale-own-update = el thread vuelve a leer lo que actualizó de forma atómica
    .why = La línea { $at } actualizó el elemento y devolvió su valor anterior. Otros threads pueden cambiarlo antes de la lectura normal.
    .fix = usa el valor que devuelve la operación atómica de la línea { $at }{ $certain ->
        [true] {""}
       *[false] , o { no-order-fix }
    }
overlap = { $is_strong ->
    [true] los dos accesos tienen tamaños distintos
   *[false] dos escrituras de tamaños distintos comparten bytes
}
    .why = (1) ocupa los bytes { $first } a { $first_last } { $shared ->
        [true] de la memoria compartida
       *[false] del buffer
    }, (2) los bytes { $second } a { $second_last }.{ $is_strong ->
        [true] {" "}También los accesos atómicos y volatile compiten si sus tamaños difieren.
       *[false] {""}
    }
    .fix = { $is_strong ->
        [true] accede a la memoria con un mismo tamaño en los dos lados
       *[false] si son dos arrays, haz que no se solapen. Si son uno solo: { no-order-fix }
    }
