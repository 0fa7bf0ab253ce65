import OrderedCollections

extension Grant: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let id = try f("grant", \.id)
    self = try f.inline(\.terms).grant(id)
  }

  package var terms: Terms { Terms(grant: self) }

  /// The members except the id, which is `grant` in an event and `id` in the API.
  package struct Terms: Sendable {
    private var grant: Grant

    fileprivate init(grant: Grant) { self.grant = grant }

    package func grant(_ id: GrantID) -> Grant {
      var copy = grant
      copy.id = id
      return copy
    }
  }
}

extension Grant.Terms: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    // Earlier versions recorded the act instead of its verb, digest and coverage.
    var act: Act?
    if let json = f.members?.take("act"), json != .null {
      let old = try Act(json: json, at: "/act")
      f.members?.add(["verb": .string(old.verb), "sha256": .string(old.digest), "coverage": ""])
      act = old
    }
    let surface = try f("surface", \.grant.condition.surface, "", .schema("Name"))
    let button = try f(
      "button", \.grant.button, "The answer. A later request must have a button with this id and label.", .schema("Name"))
    let label = try f("label", \.grant.label, "", .schema("Label"))
    let isRefusal = try f(
      "refuses", default: false, \.grant.isRefusal, "True for a cancel button. A refusal comes before a permission.")
    let verb = try f("verb", \.grant.condition.verb, "", .schema("Name"))
    let digest = try f(
      "sha256", \.grant.condition.digest,
      "The SHA-256 of the part of the answered act that counts, as JSON with sorted members. The act itself is that of the presentation.",
      .sha256)
    let coverage = try f(
      "coverage", \.grant.coverage, "The coverage in words; for a long act, the beginning and the end.")
    let directory = try f("directory", \.grant.directory, "The directory of the covered acts, if they have one.")
    let program = try f(
      "program", \.grant.program, "The file of the program that the act names, which must be unchanged. Absent if any will do.")
    let width = try f.inline(\.grant.condition.width)
    let uid = try f("uid", \.grant.condition.owner.uid, "The user whose requests it settles.")
    let host = try f(
      "host", { $0.grant.condition.owner.host.isEmpty ? nil : $0.grant.condition.owner.host },
      "That user's host, on a shared surface.", .schema("Name"))
    let app = try f("app", \.grant.app, "The name of the answered request's app.", .schema("Name"))
    let anchor = try f(
      "anchor", ifAbsent: "", \.grant.anchor, "The name of the process or executable that it is bound to.")
    let session = try f(
      "session", \.grant.condition.session,
      "The process that must be among the requester's ancestors. Absent for a time and for always.")
    let executable = try f(
      "executable", \.grant.condition.executable,
      "The executable that must be among those of the requester and its ancestors. Absent for a session, and for any program. For always, * stands for a version in the path."
    )
    let script = try f(
      "script", \.grant.condition.script, "The script that this executable must run. Absent without one.")
    let grantedAt = try f("grantedAt", \.grant.grantedAt)
    let until = try f("until", \.grant.until, "Absent for a session and for always, which has neither.")
    let cautions = try f(
      "cautions", default: [], { $0.grant.cautions.sorted() },
      "The cautions in the answered prompt, except those about its act. A request with more cautions is not settled."
    )
    let presentation = try f("presentation", \.grant.presentation, "The answered presentation.")
    let by = try f("by", \.grant.by, "The party that answered it.")

    try f.check(session == nil || until == nil, "does not fit session", at: "until")
    grant = Grant(
      id: .sample,
      condition: Grant.Condition(
        owner: Owner(host: host ?? "", uid: uid), surface: surface, verb: verb, width: width, digest: digest, session: session,
        executable: executable, script: script),
      button: button, label: label, isRefusal: isRefusal, coverage: act.map(width.coverage) ?? coverage,
      directory: directory, program: program, app: app,
      anchor: anchor, grantedAt: grantedAt, until: until, cautions: Set(cautions), presentation: presentation, by: by)
  }
}

extension Grant.Session: Record {
  package static var schemaName: String { "GrantSession" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    pid = try f("pid", \.pid)
    started = try f("started", \.started, "Start time in clock ticks since boot.")
    boot = try f("boot", \.boot)
  }
}
