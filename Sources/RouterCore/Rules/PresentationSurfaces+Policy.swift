extension PresentationSurfaces {
  /// The settings that decisions depend on.
  package struct Policy: Sendable, Hashable {
    package var limits = Presentation.Limits()
    /// Whether programs can be called back.
    package var callsBack = true
    package var selfAnswer = SelfAnswerRule.off
    /// Whether a request may ask for a sensitive answer, which must not leave this machine.
    package var allowsSensitive = true
    /// Whether the last quarter of `perSurface` is reserved for hosts that have at most as many presentations open there as are
    /// then free, and a host's requests may have the bytes of four users. A host names its users itself, so `perUser` and
    /// `bytesPerUser` do not limit it.
    package var limitsHosts = false
    package var grants = GrantPolicy()
    /// The daemon, whose own prompts agents may not answer; `nil` in a program, all of whose prompts are its own.
    package var own: ProcessIdentity?
    /// This host's rules on a shared surface: a leader puts them in force, and other hosts send nothing that they deny.
    package var rules: RuleSet?
    /// The people who may give answers that need several, and the host whose users they are.
    package var approvers = Approvers()
    package var home = ""
    /// People with accounts on several hosts, who must not approve or answer their own requests from another.
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
