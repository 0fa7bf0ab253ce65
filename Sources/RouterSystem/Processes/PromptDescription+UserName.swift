public import RouterCore

extension PromptDescription {
  /// Describes a presentation. Looks up the user's name, which may take long; see ``ProcessIdentity/userName``.
  public init(_ presentation: Presentation) {
    let process = presentation.requester.process
    self.init(presentation, userName: process.host.isEmpty ? process.userName : nil)
  }
}
