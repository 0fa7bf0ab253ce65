package import Logging

extension EnvironmentValues {
  /// The broker that receives requests: the coordinator of this process, or a client of the daemon (default: `nil`).
  public var presentationBroker: (any PresentationBroker)? {
    get { self[PresentationBrokerKey.self] }
    set { self[PresentationBrokerKey.self] = newValue }
  }

  /// How things are shown, where the options of a call do not say otherwise.
  public var presentationOptions: PresentationOptions {
    get { self[PresentationOptionsKey.self] }
    set { self[PresentationOptionsKey.self] = newValue }
  }

  /// The logger for errors that an action cannot throw.
  package var presentationLogger: Logger {
    get { self[PresentationLoggerKey.self] }
    set { self[PresentationLoggerKey.self] = newValue }
  }

  /// Shows sheets.
  public var showSheet: ShowAction { ShowAction(in: self) }

  /// Shows full-screen covers.
  public var showFullScreenCover: ShowAction { ShowAction(in: self, as: .fullScreenCover) }

  /// Shows alerts.
  public var showAlert: ShowAction { ShowAction(in: self) }

  /// Shows confirmation dialogs.
  public var showConfirmationDialog: ShowAction { ShowAction(in: self) }
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
