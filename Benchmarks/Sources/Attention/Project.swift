/// The kinds of tool calls, with their share of all calls.
///
/// Agents mostly look: about half of the calls read or search. A quarter edits, a quarter runs other commands, above all tests and
/// builds. One command in four or five is written for one use: a commit message, a script, the name of a new file.
enum Kind: String, CaseIterable {
  case read = "Read, Grep"
  case glance = "Bash: ls, cat, grep, git log and the like"
  case query = "Bash: other reading commands"
  case test = "Bash: tests"
  case build = "Bash: builds and linters"
  case git = "Bash: git that changes"
  case package = "Bash: package managers"
  case network = "Bash: network"
  case file = "Bash: mkdir, mv, cp, rm"
  case script = "Bash: scripts for one use"
  case sudo = "Bash: sudo"
  case edit = "Edit"
  case write = "Write"
  case steering = "Edit of a steering file"
  case fetch = "WebFetch, Read elsewhere"

  /// Per thousand calls.
  var weight: Int {
    switch self {
    case .read: 395
    case .glance: 125
    case .query: 18
    case .test: 77
    case .build: 42
    case .git: 32
    case .package: 9
    case .network: 11
    case .file: 14
    case .script: 21
    case .sudo: 1
    case .edit: 200
    case .write: 38
    case .steering: 7
    case .fetch: 10
    }
  }

  /// Whether Claude Code itself allows the call, and runs no hook for PermissionRequest: it asks for no Read and Grep in its
  /// directory, and for no command of a built-in list of those that read.
  func isSettledByHost(everyCommand: Bool) -> Bool { self == .read || self == .glance && !everyCommand }

  var isCommand: Bool { rawValue.hasPrefix("Bash") }
}

/// A project and its usual commands, the most frequent first.
///
/// `{test}` and `{file}` stand for files of the current task, `{n}` for a number that never repeats, `{few}` for one of a few,
/// `{day}` for the day.
struct Project {
  let name: String
  let part: String
  let sources: [String]
  let tests: [String]
  let steering: [String]
  let commands: [Kind: [String]]

  static let all = [shop, ledger, scout]

  private static let names = [
    "cart", "order", "price", "user", "stock", "mail", "search", "auth", "report", "queue", "cache", "format", "dates", "api",
    "store", "events", "errors", "config", "retry", "limits", "export", "import", "match", "index", "parse", "routes", "jobs",
    "hooks", "audit", "session",
  ]

  private static let common: [Kind: [String]] = [
    .glance: [
      "git status", "ls -la", "git diff", "grep -rn \"{few}\" . | head -20", "git log --oneline -10", "cat {file}",
      "find . -name \"*{few}*\" | head", "wc -l {file}", "head -50 {file}", "git show --stat HEAD", "tail -40 {file}",
    ],
    .git: [
      "git add -A && git commit -m \"Fix case {n}\"", "git add {file}", "git add -A", "git commit -m \"Handle case {n}\"",
      "git push", "git fetch origin", "git checkout -b fix/case-{n}", "git pull --rebase", "git switch main",
      "git push -u origin fix/case-{n}", "git stash", "git stash pop", "git restore {file}",
    ],
    .file: [
      "mkdir -p build/tmp", "rm {file}.orig", "mv {file} {file}.{n}", "cp {file} /tmp/copy-{n}", "rm /tmp/copy-{n}",
      "mkdir -p docs/part-{n}", "chmod +x scripts/run-{n}.sh", "rm -rf build/tmp",
    ],
    .sudo: ["sudo systemctl restart postgresql", "sudo apt-get install -y jq"],
  ]

  private static func commands(_ own: [Kind: [String]]) -> [Kind: [String]] { common.merging(own) { $1 } }

  private static let shop = Project(
    name: "shop", part: "packages/web",
    sources: names.map { "src/\($0).ts" } + names.prefix(10).map { "packages/web/\($0).tsx" },
    tests: names.map { "src/\($0).test.ts" }, steering: ["package.json", "tsconfig.json", "vite.config.ts", ".env.example"],
    commands: commands([
      .query: [
        "gh pr view {few}", "docker ps", "npm ls {few}", "gh run list --limit=5", "docker compose logs --tail=50 api",
        "gh pr diff {few}", "gh run view {few} --log-failed",
      ],
      .test: [
        "npm test", "npx vitest run {test}", "npm test 2>&1 | tail -20", "npx vitest run {test} 2>&1 | tail -30",
        "npm test -- {test}", "npm run test:e2e", "cd packages/web && npm test", "npm test -- -t \"case {n}\"",
        "npx vitest run {test} --reporter=verbose", "npm run test:{day}",
      ],
      .build: [
        "npx tsc --noEmit", "npm run build", "npm run lint", "npx tsc --noEmit 2>&1 | head -30", "npm run lint -- --fix",
        "npx eslint {file}", "npm run dev", "npx prettier --write {file}", "npm run build 2>&1 | tail -5",
        "npx tsx scripts/check-{day}.ts",
      ],
      .package: ["npm install", "npm ci", "npm install lib-{n}", "npm install -D @types/lib-{n}", "npm outdated"],
      .network: [
        "curl -s http://localhost:3000/api/health", "curl -s http://localhost:3000/api/items/{few} | jq .",
        "curl -s http://localhost:3000/api/orders?case={n}", "curl -sI https://shop.example",
      ],
      .script: [
        "node -e \"console.log(require('./dist/cart').total({n}))\"",
        "npx tsx -e \"import('./src/price.ts').then(m => m.run({n}))\"",
        "for f in src/*.ts; do sed -i 's/old{n}/new{n}/' \"$f\"; done", "cat > /tmp/case-{n}.js <<'EOF'\nrun({n})\nEOF",
      ],
    ]))

  private static let ledger = Project(
    name: "ledger", part: "core", sources: names.map { "core/src/\($0).rs" } + names.prefix(12).map { "cli/src/\($0).rs" },
    tests: names.map { "tests/\($0).rs" }, steering: ["Cargo.toml", "core/Cargo.toml", ".github/workflows/ci.yml"],
    commands: commands([
      .query: [
        "gh pr view {few}", "gh run list --limit=5", "gh run view {few} --log-failed", "gh issue view {few}",
        "rustup toolchain list",
      ],
      .test: [
        "cargo test", "cargo test {few}", "cargo test 2>&1 | tail -20", "cargo test -p ledger-core",
        "cargo test {few} -- --nocapture",
        "cargo test --test {few} 2>&1 | tail -30", "cargo test case_{n}", "cargo nextest run", "cargo test --features day{day}",
      ],
      .build: [
        "cargo check", "cargo build", "cargo clippy --all-targets -- -D warnings", "cargo fmt", "cargo check 2>&1 | head -40",
        "cargo build --release", "cargo run -- report --month={few}", "cargo clippy 2>&1 | grep -A5 warning | head -40",
        "cargo run --example day-{day}",
      ],
      .package: ["cargo add lib-{n}", "cargo update", "cargo update -p lib-{n}", "cargo fetch"],
      .network: ["curl -s http://localhost:8080/accounts/{few}", "curl -s http://localhost:8080/entries?case={n} | jq ."],
      .script: [
        "python3 -c \"print(sum(range({n})))\"", "for i in 1 2 3; do ./target/debug/ledger add {n}; done",
        "perl -pi -e 's/old{n}/new{n}/' core/src/*.rs", "./target/debug/ledger balance --at={n}",
      ],
    ]))

  private static let scout = Project(
    name: "scout", part: "scout", sources: names.map { "scout/\($0).py" }, tests: names.map { "tests/test_\($0).py" },
    steering: ["pyproject.toml", "requirements.txt", "Makefile", "tests/conftest.py"],
    commands: commands([
      .query: [
        "docker ps", "systemctl --user status scout", "journalctl --user -u scout -n 50", "pip show lib-{few}",
        "gh pr view {few}",
        "pip list",
      ],
      .test: [
        "pytest -q", "pytest {test} -q", "pytest -x -q 2>&1 | tail -20", "python -m pytest {test} -x -q 2>&1 | tail -30",
        "uv run pytest", "pytest {test} -k case_{n}", "make test", "pytest --lf -q", "pytest tests -m day{day}",
      ],
      .build: [
        "ruff check .", "mypy scout", "ruff check . --fix", "ruff format .", "mypy scout 2>&1 | tail -15", "ruff check {file}",
        "make", "python -m scout crawl --day={day}",
      ],
      .package: ["uv sync", "pip install -e .", "uv add lib-{n}", "pip install lib-{n}"],
      .network: [
        "curl -s http://localhost:9000/status", "curl -s https://crawl.example/robots.txt",
        "curl -s http://localhost:9000/page/{n}",
      ],
      .script: [
        "python3 - <<'EOF'\nimport scout\nprint(scout.parse({n}))\nEOF", "python -c \"import scout; print(scout.match({n}))\"",
        "sed -i 's/old{n}/new{n}/' scout/parse.py", "for f in data/*.json; do jq .case{n} \"$f\"; done",
      ],
    ]))
}
