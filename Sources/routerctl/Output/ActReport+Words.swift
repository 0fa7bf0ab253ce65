import Router
import RouterCommandLine

extension ActReport {
  /// The result of the act: `ran 3`, `ran, signal 15`, `failed`, `not run`.
  var words: String {
    switch result {
    case .status(let status): "ran \(status)"
    case .signal(let signal): "ran, signal \(signal)"
    case .failed: "failed"
    case .notRun: "not run"
    }
  }

  /// The reason for a failed or skipped act.
  var reason: String? {
    switch result {
    case .status, .signal: nil
    case .failed(let reason), .notRun(let reason): reason
    }
  }

  var face: OutputStyle.Face? { result == .status(0) ? nil : .red }
}

extension ActReport.Result {
  /// The JSON member of the result, with its value as text.
  var fields: (name: String, detail: String) {
    switch self {
    case .status(let status): ("status", String(status))
    case .signal(let signal): ("signal", String(signal))
    case .failed(let reason): ("failed", reason)
    case .notRun(let reason): ("notRun", reason)
    }
  }
}
