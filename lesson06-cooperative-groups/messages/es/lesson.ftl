### Lo que dice la propia lección 6.

too-many-at-once = grid_reverse: como se esperaba, { $refused } ({ $blocks } bloques, uno más de los que caben a la vez en el device)
