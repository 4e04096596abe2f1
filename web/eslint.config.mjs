// The linter's rules: those that everybody has, with types, and a few that keep the page safe.

import { fileURLToPath, URL } from "node:url";
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [typescript.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: ["tsconfig.json", "tsconfig.test.json"], tsconfigRootDir: fileURLToPath(new URL(".", import.meta.url)) },
    },
    rules: {
      // Texts are put together with numbers all over.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // node's runner waits for its tests by itself.
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: ["test"] }],
      // Nothing reads text as markup.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "write"].map((property) => ({ property })),
      ],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        console: "readonly",
        document: "readonly",
        fetch: "readonly",
        innerWidth: "readonly",
        KeyboardEvent: "readonly",
        performance: "readonly",
        process: "readonly",
        URL: "readonly",
        window: "readonly",
      },
    },
  },
);
