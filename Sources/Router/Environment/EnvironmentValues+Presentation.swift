package import Logging

extension EnvironmentValues {
  /// The broker that receives requests: the coordinator of this process, or a client of the daemon (default: `nil`). Setting it
  /// sets all actions.
  public var presentationBroker: (any PresentationBroker)? {
    get { self[PresentationBrokerKey.self] }
    set {
      self[PresentationBrokerKey.self] = newValue
      targets = [:]
    }
  }

  /// The targets of individually set actions, by the kind of their prompts.
  var targets: [PresentationKind: any PromptTarget] {
    get { self[PromptTargetsKey.self] }
    set { self[PromptTargetsKey.self] = newValue }
  }

  /// The default options of prompts; a call can override them.
  public var presentationOptions: PresentationOptions {
    get { self[PresentationOptionsKey.self] }
    set { self[PresentationOptionsKey.self] = newValue }
  }

  /// The logger for errors that an action cannot throw.
  package var presentationLogger: Logger {
    get { self[PresentationLoggerKey.self] }
    set { self[PresentationLoggerKey.self] = newValue }
  }

  /// Shows sheets (default: through the ``presentationBroker``). Setting it does not change the other actions:
  ///
  /// ```swift
  /// try await withEnvironment(\.showSheet, ShowAction(coordinator)) { … }
  /// try await withEnvironment(\.showSheet, ShowAction { (sheet: PickAddress) in sheet.recent.first }) { … }
  /// ```
  public var showSheet: ShowAction {
    get { ShowAction(in: self) }
    set { targets[.sheet] = newValue.target }
  }

  /// Shows full-screen covers.
  public var showFullScreenCover: ShowAction {
    get { ShowAction(in: self, as: .fullScreenCover) }
    set { targets[.fullScreenCover] = newValue.target }
  }

  /// Shows alerts.
  public var showAlert: ShowAction {
    get { ShowAction(in: self, as: .alert) }
    set { targets[.alert] = newValue.target }
  }

  /// Shows confirmation dialogs.
  public var showConfirmationDialog: ShowAction {
    get { ShowAction(in: self, as: .confirmationDialog) }
    set { targets[.confirmationDialog] = newValue.target }
  }
}

private struct PromptTargetsKey: EnvironmentKey {
  static let defaultValue: [PresentationKind: any PromptTarget] = [:]
}

private struct PresentationBrokerKey: EnvironmentKey {
  static let defaultValue: (any PresentationBroker)? = nil
}

private struct PresentationOptionsKey: EnvironmentKey {
  static let defaultValue = PresentationOptions()
}

private struct PresentationLoggerKey: EnvironmentKey {
  static let defaultValue = Logger(label: "Router")
}
