/** Joins the view's modules into one script and one style sheet: `node build.mjs [--page] [FOLDER]`. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const given = process.argv.slice(2);
const page = given.includes("--page");
const asked = given.find((each) => !each.startsWith("--"));
const usual = page ? join(here, "page") : join(here, "..", "cutbook", "notebook", "review", "static");
const folder = asked ? resolve(asked) : usual;

await mkdir(folder, { recursive: true });
await build({
  absWorkingDir: here,
  bundle: true,
  charset: "utf8",
  entryPoints: [
    { in: page ? "test/page.ts" : "src/index.ts", out: page ? "page" : "review" },
    { in: "src/style.css", out: "review" },
  ],
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
  minify: !page,
  outdir: folder,
  platform: "browser",
  sourcemap: page ? "inline" : false,
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
});
if (page) await cp(join(here, "test", "page.html"), join(folder, "index.html"));
