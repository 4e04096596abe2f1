### Lo que dice la propia lección 6.

too-many-at-once = { $blocks } bloques, uno más de los que caben a la vez: { $refused }
