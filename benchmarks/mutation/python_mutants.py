"""Mutants of the gate and of the trust arithmetic, by operators on their syntax trees."""

import ast
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import mapgraph_neo

from .mutant import Mutant, numbered

FOLDER = Path(mapgraph_neo.__file__).parent
MODULES = ("gate", "trust", "verification", "action_facts", "access_classes")
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
HALF = 0.5
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}


class _Change(ast.NodeTransformer):
    """Makes the one change of this number; counts on the way."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.done: tuple[str, int] | None = None

    def _now(self, what: str, node: ast.expr | ast.stmt) -> bool:
        self.left -= 1
        if self.left == -1:
            self.done = (what, node.lineno)
            return True
        return False

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for at, operator in enumerate(node.ops):
            other = COMPARED.get(type(operator))
            if other and self._now(f"{type(operator).__name__} -> {other.__name__}", node):
                node.ops[at] = other()
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._now("and <-> or", node):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        rules = isinstance(node.op, ast.Or) and all(isinstance(v, ast.Call) for v in node.values)
        for at in range(len(node.values) - 1):
            if rules and self._now(f"swap rules {at + 1} and {at + 2}", node):
                node.values[at], node.values[at + 1] = node.values[at + 1], node.values[at]
        for at in range(len(node.values)):
            if len(node.values) > 1 and self._now(f"without part {at + 1}", node):
                del node.values[at]
                break
        return node.values[0] if len(node.values) == 1 else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self._now("without not", node):
            return node.operand
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self._now("if -> never", node):
            node.test = ast.Constant(value=False)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in CALLED and self._now(f"{name} -> {CALLED[name]}", node):
            node.func = ast.Name(id=CALLED[name], ctx=ast.Load())
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        other = HALF if node.value != HALF else 1.0
        if isinstance(node.value, float) and self._now(f"{node.value} -> {other}", node):
            return ast.Constant(value=other)
        return node


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module of the package."""
    yield from numbered(module, _changes(module))


def _changes(module: str) -> Iterator[tuple[str, str]]:
    text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
    for number in count():
        change = _Change(number)
        tree = change.visit(ast.parse(text))
        if change.done is None:
            return
        operator, line = change.done
        name = f"{module}.py {operator} in `{text.splitlines()[line - 1].strip()}`"
        yield name, ast.unparse(ast.fix_missing_locations(tree))
