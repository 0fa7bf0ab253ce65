import Glibc
public import RouterCore

extension PromptDescription {
  /// Describes a presentation. Looks up the user's name, which may block; see ``ProcessIdentity/userName``.
  public init(_ presentation: Presentation) { self.init(presentation, request: presentation.request) }

  /// Describes a presentation for this process's user, with other defaults in the request.
  package init(_ presentation: Presentation, request: PresentationRequest) {
    let process = presentation.requester.process
    self.init(
      presentation, request: request, userName: process.host.isEmpty ? process.userName : nil, viewer: getuid())
  }
}
