/// A surface shared by several hosts, from the perspective of one of them.
///
/// One host leads: it decides the inputs of all hosts. The others send it their inputs, follow the events that it records, and
/// act on them for their own requesters and presenters.
package struct SharedSurface: Sendable {
  package let name: String
  /// This host's name.
  package let host: String
  let link: any SharedLink

  package init(name: String, host: String, link: any SharedLink) {
    self.name = name
    self.host = host
    self.link = link
  }
}

/// The link to the other hosts of a shared surface. Calls return immediately.
package protocol SharedLink: Sendable {
  /// Sends an input to the leader, after all earlier ones. If the database is unreachable, sends it later.
  func send(_ input: SharedInput, number: Int)

  /// Sends a sheet's progress to the presenters of other hosts; `nil` when the sheet has ended.
  func report(_ progress: PresentationProgress?, of id: PresentationID)

  /// Reports that the input of a row is recorded with its events.
  func recorded(_ row: InboxReply)

  /// Reports that this host no longer leads, so that its copy of the log has to catch up.
  func steppedDown()
}
