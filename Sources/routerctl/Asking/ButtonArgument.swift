import ArgumentParser
import Router
import RouterCommandLine
import Synchronization

extension PresentationRequest {
  /// Makes a button the default, found by `name`. Throws ``CommandFailure`` if no button has that name.
  mutating func setDefault(_ wanted: String?, by name: (Button) -> String) throws {
    guard let wanted else { return }
    guard let index = buttons.firstIndex(where: { name($0) == wanted }) else {
      throw CommandFailure(.usage, "cannot use --default: there is no button \"\(wanted)\"")
    }
    buttons[index].isDefault = true
  }
}

/// `ID=LABEL`, or a label that is also the id. Keeps its position, because `--button` and `--destructive` are separate options.
struct ButtonArgument: ExpressibleByArgument, Sendable {
  private static let count = Atomic(0)

  let id: String
  let label: String
  let position: Int

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.first, !id.isEmpty else { return nil }
    self.id = id
    label = parts.count > 1 ? parts[1] : id
    position = Self.count.add(1, ordering: .relaxed).newValue
  }

  func button(_ role: ButtonRole? = nil) -> PresentationRequest.Button {
    PresentationRequest.Button(id: id, label: label, role: role)
  }
}
