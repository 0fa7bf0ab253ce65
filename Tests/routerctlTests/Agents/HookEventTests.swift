import OrderedCollections
import Router
import Testing

@testable import RouterCommandLine
@testable import RouterFrontEnds
@testable import routerctl

/// The hook's decisions in the formats of Claude Code and Codex.
/// Promise P42.
struct HookEventTests {
  private func event(_ name: String, _ more: String = "") throws -> HookEvent {
    let json =
      #"{"hook_event_name":"\#(name)","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}\#(more)}"#
    return try #require(try HookEvent(try JSONValue(parsing: json), of: .claude))
  }

  static let permissions: [(ToolDecision, String?)] = [
    (.allow(updatedInput: nil), #"{"behavior":"allow"}"#),
    (.allow(updatedInput: ["a": 1]), #"{"behavior":"allow","updatedInput":{"a":1}}"#),
    (.deny("why"), #"{"behavior":"deny","message":"why"}"#),
    (.expired, nil), (.withdrawn, nil), (.unavailable("no daemon"), nil),
  ]

  @Test(arguments: permissions)
  func `answers a permission request, or leaves it to the host`(decision: ToolDecision, expected: String?) throws {
    for host in [AgentHost.claude, .codex] {
      let output = host.output(decision, for: .permissionRequest, "PermissionRequest")?["hookSpecificOutput"]
      #expect(output?["decision"]?.description == expected)
      #expect(output == nil || output?["hookEventName"] == "PermissionRequest")
    }
  }

  static let preToolUse: [(decision: ToolDecision, claude: String, codex: String)] = [
    (.allow(updatedInput: nil), "allow", "allow"), (.deny("why"), "deny", "deny"), (.dismissed("not now"), "deny", "deny"),
    (.expired, "ask", "deny"), (.withdrawn, "ask", "deny"), (.unavailable("no daemon"), "ask", "deny"),
  ]

  @Test(arguments: preToolUse)
  func `never leaves a PreToolUse event to the host's own rules`(decision: ToolDecision, claude: String, codex: String) throws {
    for (host, expected) in [(AgentHost.claude, claude), (.codex, codex)] {
      let output = host.output(decision, for: .preToolUse, "PreToolUse")?["hookSpecificOutput"]
      #expect(output?["hookEventName"] == "PreToolUse")
      #expect(output?["permissionDecision"]?.string == expected)
      let reason = output?["permissionDecisionReason"]?.string ?? ""
      if case .deny(let why) = decision { #expect(reason == why) }
      if case .unavailable(let why, _) = decision { #expect(reason.contains(why)) }
    }
  }

  @Test func `passes the person's comment on`() throws {
    var shown = presentation(try event("PermissionRequest"))
    shown.extra.comment = "use trash"
    let question = try event("PreToolUse").call.question(mayChangeMode: false)
    #expect(ToolGate.decision(.declined(shown), question) == .deny("The user denied this tool call: use trash"))
    #expect(
      ToolGate.decision(.dismissed(shown), question)
        == .deny("The user closed the prompt for this tool call without allowing it: use trash"))
    let allowed = ToolGate.decision(.answered(.button("allow"), shown), question)
    let output = AgentHost.claude.output(allowed, for: .preToolUse, "PreToolUse")?["hookSpecificOutput"]
    #expect(output?["permissionDecisionReason"] == "The user allowed this tool call: use trash")
  }

  @Test func `prints nothing for events that ask nothing`() throws {
    for name in HookEvent.Name.allCases where !name.asks {
      #expect(AgentHost.claude.output(.allow(updatedInput: nil), for: name, name.rawValue) == nil)
    }
  }

  static let unreadable: [(String, HookEvent.Name?)] = [
    (#"{"hook_event_name":"Stop","x":"\ud800"}"#, .stop), (#"{"x":"\ud800","hook_event_name" : "PreToolUse"}"#, .preToolUse),
    (#"{"hook_event_name":"PostToolUse","a":1,"a":2"#, .postToolUse),
    // Text of the model does not count.
    (#"{"tool_input":{"hook_event_name":"Stop"},"x":"\ud800"}"#, nil),
    (#"{"tool_input":"\",\"hook_event_name\":\"Stop\"","x":"\ud800"}"#, nil),
    (#"{"a":"hook_event_name","Stop":"\ud800"}"#, nil), (#"{"hook_event_name":["Stop"],"x":"\ud800"}"#, nil),
    (#"{"hook_event_name":"Stop","hook_event_name":"PreToolUse"}"#, nil), (#"{"hook_event_name":"Someday","#, nil),
    (#"{"hook_event_name":"Stop"#, .stop), (#"{"hook_event_name":"Stop\"#, nil), ("", nil), ("[[[", nil), ("}}}\"", nil),
  ]

  @Test(arguments: unreadable) func `finds the event's name in text that is not JSON`(text: String, name: HookEvent.Name?) {
    #expect(HookEvent.Name.find(in: Array(text.utf8), of: .claude)?.name == name)
  }

  @Test func `skips unknown events, and fails on malformed ones`() throws {
    #expect(try HookEvent(["hook_event_name": "Someday"], of: .claude) == nil)
    #expect(throws: CommandFailure.self) { try HookEvent([:], of: .claude) }
    #expect(throws: CommandFailure.self) { try HookEvent("text", of: .claude) }
    #expect(throws: CommandFailure.self) { try HookEvent(["hook_event_name": "PermissionRequest"], of: .claude) }
  }

  private func presentation(_ event: HookEvent, deferred: Bool = false) -> Presentation {
    var request = PresentationRequest(kind: .alert, title: "?", metadata: event.call.metadata)
    if deferred { request.metadata[ToolCall.Label.deferred] = "yes" }
    return Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!,
      requester: Presentation.Requester(app: "claude-code", process: .current), request: request,
      requestedAt: Timestamp(milliseconds: 0))
  }

  @Test func `orphans only the prompt of the same call when a call ends`() throws {
    let asked = presentation(try event("PermissionRequest"))
    let other = #","tool_input":{"command":"ls -a"}"#
    for name in ["PostToolUse", "PostToolUseFailure", "PermissionDenied"] {
      #expect(try event(name).orphans(asked))
      let json = #"{"hook_event_name":"\#(name)","session_id":"s","tool_name":"Bash"\#(other)}"#
      #expect(try #require(try HookEvent(try JSONValue(parsing: json), of: .claude)).orphans(asked) == false)
      let elsewhere = #"{"hook_event_name":"\#(name)","session_id":"t","tool_name":"Bash","tool_input":{"command":"ls"}}"#
      #expect(try #require(try HookEvent(try JSONValue(parsing: elsewhere), of: .claude)).orphans(asked) == false)
    }
    #expect(try !event("PermissionRequest").orphans(asked))
  }

  @Test func `distinguishes calls of the same command by their ids`() throws {
    let first = presentation(try event("PreToolUse", #","tool_use_id":"1""#))
    #expect(try event("PostToolUse", #","tool_use_id":"1""#).orphans(first))
    #expect(try !event("PostToolUse", #","tool_use_id":"2""#).orphans(first))
  }

  @Test func `orphans a turn's prompts on Stop, subagents' too on SessionEnd, but not deferred ones`()
    throws
  {
    let main = presentation(try event("PermissionRequest"))
    let sub = presentation(try event("PermissionRequest", #","agent_id":"a""#))
    #expect(try event("Stop").orphans(main))
    #expect(try !event("Stop").orphans(sub))
    #expect(try event("SessionEnd").orphans(sub))
    #expect(try event("Interrupt").orphans(main))
    let deferred = presentation(try event("PreToolUse"), deferred: true)
    #expect(try !event("Stop").orphans(deferred))
    #expect(try !event("SessionEnd").orphans(deferred))
    #expect(try event("PostToolUse").orphans(deferred))
  }

  @Test func `makes a decision only from a person's outcome`() throws {
    let shown = presentation(try event("PermissionRequest"))
    let question = try event("PermissionRequest").call.question(mayChangeMode: true)
    #expect(ToolGate.decision(.answered(.button("allow"), shown), question) == .allow(updatedInput: nil))
    #expect(ToolGate.decision(.declined(shown), question) == .denied(nil))
    #expect(ToolGate.decision(.dismissed(shown), question) == .dismissed(nil))
    #expect(ToolGate.decision(.expired, question) == .expired)
    #expect(ToolGate.decision(.withdrawn, question) == .withdrawn)
    #expect(ToolGate.decision(.unavailable("x"), question) == .unavailable("x"))
    // Any other answer does not permit.
    #expect(ToolGate.decision(.answered(.button("other"), shown), question) == .denied(nil))
    #expect(ToolGate.decision(.answered(.redacted, shown), question) == .denied(nil))
    #expect(ToolGate.decision(.answered(.value(true), shown), question) == .denied(nil))
  }

  @Test func `asks a person by the permission mode, the event and the tool`() throws {
    let asking: [HookEvent.Name] = [.preToolUse, .permissionRequest]
    func deciders(_ mode: String, _ tool: String = "Bash", auto: Bool = true) throws -> [HookEvent.Decider] {
      try asking.map { name in
        let json: JSONValue = [
          "hook_event_name": .string(name.rawValue), "permission_mode": .string(mode), "tool_name": .string(tool),
        ]
        return try #require(try HookEvent(json, of: .claude)).decider(asksInAutoMode: auto)
      }
    }
    for mode in ["default", "acceptEdits", "plan", "auto", "someday"] {
      #expect(try deciders(mode) == [.person, .person])
    }
    for mode in ["dontAsk", "bypassPermissions"] {
      #expect(try deciders(mode) == [.denyingRule, .host])
    }
    #expect(try deciders("auto", auto: false) == [.denyingRule, .person])
    for mode in ["dontAsk", "bypassPermissions", "auto"] {
      for tool in ["AskUserQuestion", "ExitPlanMode"] {
        #expect(try deciders(mode, tool, auto: false) == [.person, .person])
      }
    }
    for name in HookEvent.Name.allCases where !name.asks {
      #expect(try event(name.rawValue).decider(asksInAutoMode: true) == .host)
    }
  }

  @Test func `takes an event for Claude Code's by its members`() {
    func isClaudes(_ json: JSONValue) -> Bool { AgentHost.sender(of: json, installed: nil)?.id == "claude" }
    for name in HookEvent.Name.allCases {
      let event = JSONValue.string(name.rawValue)
      #expect(isClaudes(["hook_event_name": event, "permission_mode": "default"]))
      // Other events than those about a tool do not always have a mode.
      #expect(isClaudes(["hook_event_name": event]) == ![.preToolUse, .permissionRequest].contains(name))
      #expect(!isClaudes(["hookEventName": event, "permission_mode": "default"]))
    }
    #expect(AgentHost.sender(of: [:], installed: nil) == nil)
    #expect(AgentHost.sender(of: "text", installed: nil) == nil)
  }

  @Test func `shows a plan that fits as a whole, and keeps planning by default`() throws {
    func call(_ plan: String) -> ToolCall { ToolCall(tool: PlanPrompt.tool, input: ["plan": .string(plan)]) }
    let request = try #require(PlanPrompt(call("# Plan\u{202E}"), mayChangeMode: true)).request(metadata: [:])
    #expect(request.message == "# Plan\\u{202E}")
    #expect(request.buttons.filter(\.isDefault).map(\.role) == [.cancel])
    #expect(PlanPrompt(call(" "), mayChangeMode: true) == nil)
    #expect(PlanPrompt(call(String(repeating: "x", count: 60_001)), mayChangeMode: true) == nil)
    #expect(PlanPrompt(ToolCall(tool: "Bash", input: ["plan": "x"]), mayChangeMode: true) == nil)
  }
}
