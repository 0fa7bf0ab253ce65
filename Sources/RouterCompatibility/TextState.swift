/// The text of a title, a message or a label, under the name that code with `AlertState` uses.
public typealias TextState = String
