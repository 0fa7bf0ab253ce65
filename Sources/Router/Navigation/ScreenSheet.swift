/// A sheet as a flow's screen needs it: what to ask, and how to read an answer.
struct ScreenSheet<Answer: Sendable>: Sendable {
  let designation: String
  let request: @Sendable () throws -> PresentationRequest
  let read: @Sendable (PresentationAnswer) throws -> Answer

  init<S: Sheet>(_ sheet: S) where S.Answer == Answer {
    self.init(asking: sheet) { try sheet.answer(from: $0, calledBy: "the screen \(sheet.sheetName)") }
  }

  /// A sheet without one: whatever it is answered with, the person goes on.
  init<S: Sheet>(withoutAnswer sheet: S) where S.Answer == Never, Answer == Void {
    self.init(asking: sheet) { _ in }
  }

  private init(asking sheet: some Sheet, read: @escaping @Sendable (PresentationAnswer) throws -> Answer) {
    designation = "the screen \(sheet.sheetName)"
    request = {
      var request = try PresentationRequest(sheet)
      request.flow = true
      return request
    }
    self.read = read
  }
}
