import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Paths that steer a program, which no remembered answer and no rule covers.
/// Promise P52.
struct SteeringPathTests {
  private static let steering = [
    // Git, also in a repository without a work tree, and a link to a repository elsewhere.
    ".git/config", ".git/hooks/pre-commit", ".git", "lib/.git/config", ".gitattributes", "src/.gitattributes", ".gitmodules",
    ".git/info/attributes", "cache/HEAD", "x.git/config", "GIT~1/config",
    // Agents and their servers.
    ".claude/settings.json", ".claude/agents/a.md", ".codex/config.toml", ".mcp.json", "CLAUDE.md", "src/CLAUDE.md",
    "AGENTS.md",
    ".cursor/rules", ".gemini/settings.json",
    // Shells, editors, builds, installations, services.
    ".envrc", ".env", ".bashrc", ".husky/pre-commit", ".vscode/tasks.json", ".vscode/settings.json", ".idea/workspace.xml",
    "shop.code-workspace", ".npmrc", ".yarnrc.yml", ".github/workflows/ci.yml", ".pre-commit-config.yaml", ".config/x",
    "Makefile", "src/makefile", "package.json", "app/package.json", "vite.config.ts", "conftest.py", "setup.py", "build.rs",
    "Cargo.toml", "CMakeLists.txt", "Dockerfile", "docker-compose.yml", "node_modules/a/index.js", "bin/ls", "x.service",
    "x.desktop", "venv/lib/site-packages/a.pth", ".unknown/file", ".x",
    // The same for a file system that ignores case, hidden characters or ends.
    ".GIT/config", ".Git\u{200B}/config", "\u{200B}.git/config", ".g\u{200D}it/config", "claude.MD", "Ma\u{212A}efile",
    "CLAUDE.md.",
    "CLAUDE.md ", "CLAUDE.md::$DATA", "pac\u{212A}age.j\u{17F}on",
    // More than is looked at.
    String(repeating: "a/", count: 200) + "b", String(repeating: "a", count: 5000),
  ]

  @Test(arguments: steering) func `asks each time about files that hosts and tools execute or obey`(path: String) throws {
    #expect(SteeringPath.reason("/s/" + path) != nil)
    let mark = PromptDescription(try Self.request(Act("Write", object: "/s/" + path, directory: "/s"))).blocks.first(
      where: \.isWarning)
    #expect(mark?.text.hasPrefix("Look twice: ") == true)
    for path in ["/s/" + path, path] where path.hasPrefix("/") || !path.contains(" ") {
      let act = Act("Write", object: path, directory: "/s")
      var scene = Self.scene
      try Self.remember(Act("Write", object: "/s/a", directory: "/s"), .under, in: &scene)
      try Self.remember(Act("Write", object: "/s/a", directory: "/s"), .verb, in: &scene)
      #expect(try Self.ask("b", act, in: &scene) == ["b requested", "b presented 1"], "\(act)")
      #expect(scene.surfaces.entry(PresentationID(name: "b"))?.presentation.offer == nil, "\(act)")
    }
  }

  @Test(arguments: [
    "src/main.swift", "README.md", "docs/a b.md", "a/b/c.json", "test.py", ".gitignore", "assets/.gitkeep", "gitconfig.md",
    "binary",
    "x.git.md", "headers/x.h", "environment", "a.b.c", "日本/é.txt", "Makefile/../x",
  ])
  func `lets answers cover other files`(path: String) throws {
    guard !path.contains("..") else {
      #expect(SteeringPath.reason("/s/" + path) != nil)
      return
    }
    #expect(SteeringPath.reason("/s/" + path) == nil)
    var scene = Self.scene
    try Self.remember(Act("Write", object: "/s/a", directory: "/s"), .under, in: &scene)
    #expect(
      try Self.ask("b", Act("Write", object: "/s/" + path, directory: "/s"), in: &scene) == ["b requested", "b answered"])
  }

  @Test func `asks each time below a folder that steers, and in the system's folders`() throws {
    for directory in ["/s/.git", "/home/ada/.claude", "/etc", "/usr/lib/x", "/home/ada/bin"] {
      var scene = Self.scene
      let act = Act("Write", object: directory + "/a", directory: directory)
      _ = try Self.ask("a", act, in: &scene)
      #expect(scene.surfaces.entry(PresentationID(name: "a"))?.presentation.offer == nil, "\(directory)")
    }
  }

  @Test func `asks each time about a file with other names`() throws {
    var act = Act("Write", object: "/s/b", directory: "/s")
    act.environment[Act.hardLinks] = "2"
    var scene = Self.scene
    try Self.remember(Act("Write", object: "/s/a", directory: "/s"), .under, in: &scene)
    #expect(try Self.ask("b", act, in: &scene) == ["b requested", "b presented 1"])
    let mark = PromptDescription(try Self.request(act)).blocks.first(where: \.isWarning)
    #expect(mark?.text == "Look twice: hard links (the file has 2 names, perhaps elsewhere)")
  }

  @Test(arguments: [#""under": "/s""#, #""object": "/s/**""#, #""object": "**""#, #""object": "/s/.git/config""#])
  func `no rule allows it, and those that deny or ask match as before`(condition: String) throws {
    let path = Act("Write", object: "/s/.git/config", directory: "/s")
    func rule(_ then: String) throws -> Rule {
      try RuleTests.rule(#"{"id": "a", "match": {"user": 1, "act": {"verb": "Write", \#(condition)}}, "then": "\#(then)"}"#)
    }
    func decision(_ rule: Rule, on act: Act) throws -> RuleSet.Decision {
      RuleSet(file: "/r", text: "", rules: [rule]).decision(
        on: try Self.request(act), by: Presentation.Requester(app: "a", process: RuleTests.process()))
    }
    #expect(try decision(rule("allow"), on: path).outcome == nil)
    #expect(try decision(rule("deny"), on: path).outcome == .answered(.button("d")))
    #expect(try decision(rule("ask"), on: path).rule?.id == "a")
    if !condition.contains(".git") {
      #expect(try decision(rule("allow"), on: Act("Write", object: "/s/a")).outcome == .answered(.button("a")))
    }
  }

  @Test func `settles nothing that steers, whatever is around it`() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    var scene = Self.scene
    try Self.remember(Act("Write", object: "/s/a", directory: "/s"), .under, in: &scene)
    let names = Self.steering.flatMap { $0.split(separator: "/") }.map(String.init).filter { SteeringPath.reason($0) != nil }
    for _ in 0..<2000 {
      var parts = (0..<random.below(6)).map { _ in random.pick(["a", "src", "b.c", "..", "é", "\u{301}x", "x y", "HE"]) }
      let name = random.pick(names)
      parts.insert(random.chance(50) ? name : name.uppercased(), at: random.below(parts.count + 1))
      let path = "/s/" + parts.joined(separator: "/")
      #expect(SteeringPath.reason(path) != nil, "\(path), seed \(seed)")
      let act = Act("Write", object: path, directory: "/s")
      #expect(act.parts(coveredBy: GrantOffer.Width(.under)).isEmpty && act.steering != nil, "\(path), seed \(seed)")
    }
  }

  @Test func `leaves commands and addresses to their own rules`() {
    for act in [
      Act("Bash", object: "cat .git/config", arguments: ["cat", ".git/config"]), Act("Bash", object: "cat .git/config | head"),
      Act("WebFetch", object: "https://example.org/.well-known/x"), Act("push", object: "origin/main"), Act("deploy"),
    ] {
      #expect(act.steering == nil, "\(act)")
    }
  }

  // MARK: Asking

  private static var scene: Scene {
    var scene = Scene()
    scene.surfaces.policy.grants = GrantPolicy(longest: .seconds(3600), verbs: ["Write"])
    return scene
  }

  private static func request(_ act: Act) throws -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, title: "Write?", buttons: RuleTests.buttons)
    request.act = act
    return request
  }

  private static func ask(_ name: Character, _ act: Act, in scene: inout Scene) throws -> [String] {
    try scene.ask(name) {
      $0.requester.process = RuleTests.process()
      $0.boot = "boot"
      $0.draft.act = act
      $0.draft.remember = PresentationRequest.Remember(matches: PresentationRequest.Remember.Match.allCases)
      $0.draft.agent = 50
      $0.draft.buttons = RuleTests.buttons
    }
  }

  /// Asks, and has the answer remembered.
  private static func remember(_ act: Act, _ match: PresentationRequest.Remember.Match, in scene: inout Scene) throws {
    let (name, grant): (Character, Character) = match == .under ? ("u", "g") : ("v", "h")
    guard try ask(name, act, in: &scene).last?.hasSuffix("answered") != true else { return }
    var extra = AnswerExtra()
    extra.remember = GrantChoice(GrantOffer.Width(match), for: .session)
    extra.remember?.id = PresentationID(name: grant)
    let by = Presentation.Responder(
      process: RuleTests.process([.init(pid: 900, started: 900), RuleTests.shell]))
    _ = try scene.handle(.change(PresentationID(name: name), Verbs.Answer(.button("a"), extra), by: by))
  }
}
