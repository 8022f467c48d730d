// Names the embedding model of the tenant, once; its vectors never mix with those of another.
//
// Parameters
//   $tenant     STRING   the tenant
//   $model      STRING   the identity of the model
//   $dimension  INTEGER  numbers in a vector
// Returns
//   model      STRING   the model of the tenant
//   dimension  INTEGER  its dimension
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param model => 'minilm';
//   :param dimension => 384;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.model = coalesce(turn.model, $model), turn.dimension = coalesce(turn.dimension, $dimension)
RETURN turn.model AS model, turn.dimension AS dimension;
