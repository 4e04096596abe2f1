### What lesson 6 says itself.

too-many-at-once = { $blocks } blocks, one more than can be there at once: { $refused }
