extension PresentationSurfaces {
  /// The settings that decisions depend on.
  package struct Policy: Sendable, Hashable {
    package var limits = Presentation.Limits()
    /// Whether requesters can be called back.
    package var callsBack = true
    package var selfAnswer = SelfAnswerRule.off
    /// Whether requests may ask for sensitive answers, which must not leave this machine.
    package var allowsSensitive = true
    /// Whether the last quarter of `perSurface` is reserved for hosts with no more open presentations than free slots, and
    /// whether a host may use the bytes of four users. A host names its users itself, so `perUser` and `bytesPerUser` do not
    /// limit it.
    package var limitsHosts = false
    package var grants = GrantPolicy()
    /// The daemon's process: agents may not answer its own prompts. `nil` in a program, where all prompts are the program's
    /// own.
    package var own: ProcessIdentity?
    /// This host's rules on a shared surface: a leader puts them in force; other hosts do not send requests that they deny.
    package var rules: RuleSet?
    /// The approvers for requests that need several people, and their host.
    package var approvers = Approvers()
    package var home = ""
    /// The people with accounts on several hosts, who must not approve or answer their own requests from another account.
    package var people = People()

    package init(
      limits: Presentation.Limits = Presentation.Limits(), callsBack: Bool = true,
      selfAnswer: SelfAnswerRule = SelfAnswerRule.off, limitsHosts: Bool = false,
      grants: GrantPolicy = GrantPolicy()
    ) {
      (self.limits, self.callsBack, self.selfAnswer) = (limits, callsBack, selfAnswer)
      (self.limitsHosts, self.grants) = (limitsHosts, grants)
    }
  }
}
